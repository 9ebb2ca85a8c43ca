/*
 * Policies in shared objects are code in this process. If one crashes or ends the process, the user reads which objects were
 * loaded, rather than a bare "Segmentation fault", or status 0 without results.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "policy/chain.h"

static char crashed[700], left[700];
static volatile sig_atomic_t is_simulating;
static pid_t owner;

static void say_and_die(int number)
{
	ssize_t ignored = is_simulating ? write(STDERR_FILENO, crashed, strlen(crashed)) : 0;
	(void)ignored;
	raise(number); /* its own action is back: SA_RESETHAND */
}

static void say_at_exit(void)
{
	if (!is_simulating || getpid() != owner)
		return;
	fputs(left, stderr);
	fflush(stderr);
	_exit(2);
}

void policy_guard_begin(const char *command, const char *policies)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	static char stack[1 << 16];
	if (!chain_names_file(policies))
		return;
	snprintf(
	    crashed, sizeof crashed,
	    "sluice %s: crashed with the policies of %.500s, whose code runs in this process; a debugger shows "
	    "where\n",
	    command, policies);
	snprintf(left, sizeof left,
	         "sluice %s: the policies of %.500s ended the process before the simulation was over\n",
	         command, policies);
	sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i],
		          &(struct sigaction){.sa_handler = say_and_die,
		                              .sa_flags = (int)SA_RESETHAND | SA_ONSTACK},
		          NULL);
	owner = getpid();
	if (!is_simulating)
		atexit(say_at_exit);
	is_simulating = 1;
}

void policy_guard_end(void)
{
	is_simulating = 0;
}
