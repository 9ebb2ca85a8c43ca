/* sluice library-run: the process that libsluice starts for an isolated run; not for people. */
#include "api/api.h"
#include "cmd/cmd.h"

int cmd_library_run(int argc, char **argv)
{
	enum { REQUEST_FD = 3, ANSWER_FD = 4 };
	(void)argc, (void)argv;
	return api_work(REQUEST_FD, ANSWER_FD);
}
