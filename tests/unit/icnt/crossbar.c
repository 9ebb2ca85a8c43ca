/* The crossbar: where SMs sit, how far slices are, who owns what. */
#include "icnt/crossbar.h"

#include "lib/bench.h"
#include "test.h"

static struct machine *machine;
static struct crossbar crossbar;

static void open_crossbar(const char *name, uint32_t workers)
{
	struct error err;
	machine = machine_load(name, &err);
	memset(&crossbar, 0, sizeof crossbar);
	crossbar_init(&crossbar, machine, workers);
	crossbar_share(&crossbar, workers);
}

static void close_crossbar(void)
{
	crossbar_free(&crossbar);
	machine_free(machine);
}

TEST(gpcs_hold_the_sms_in_order_and_the_first_half_is_near_the_first_partition)
{
	open_crossbar("a100", 1);
	uint32_t last = 0, in_gpc[64] = {0};
	for (uint32_t sm = 0; sm < machine->sm_count; sm++) {
		uint32_t gpc = crossbar.sm_cluster[sm];
		CHECK(gpc == last || gpc == last + 1);
		CHECK_EQ(crossbar.sm_partition[sm], gpc >= (machine->sm_gpcs + 1) / 2);
		in_gpc[last = gpc]++;
	}
	CHECK_EQ(last, machine->sm_gpcs - 1);
	for (uint32_t gpc = 0; gpc < machine->sm_gpcs; gpc++)
		CHECK(in_gpc[gpc] >= machine->sm_count / machine->sm_gpcs);
	close_crossbar();
}

TEST(an_h200_has_58_sms_near_to_one_half_of_l2_and_74_near_to_the_other)
{
	open_crossbar("h200", 1);
	uint32_t near[2] = {0}, in_gpc[8] = {0};
	for (uint32_t sm = 0; sm < machine->sm_count; sm++) {
		near[crossbar.sm_partition[sm]]++;
		in_gpc[crossbar.sm_cluster[sm]]++;
	}
	CHECK_EQ(near[0], 74);
	CHECK_EQ(near[1], 58);
	for (uint32_t gpc = 0; gpc < 8; gpc++)
		CHECK(in_gpc[gpc] == 16 || in_gpc[gpc] == 18);
	close_crossbar();
}

TEST(paths_spread_as_the_machine_says_and_are_the_same_in_every_run)
{
	open_crossbar("h200", 1);
	uint32_t most = 0, slices = crossbar.map.slices;
	uint8_t *path = malloc((size_t)machine->sm_gpcs * slices);
	memcpy(path, crossbar.path, (size_t)machine->sm_gpcs * slices);
	for (uint32_t sm = 0; sm < machine->sm_count; sm++)
		for (uint32_t slice = 0; slice < slices; slice++) {
			cycle_t extra = crossbar_path(&crossbar, sm, slice);
			CHECK_EQ(extra, path[crossbar.sm_cluster[sm] * slices + slice]);
			most = extra > most ? (uint32_t)extra : most;
		}
	CHECK_EQ(most, machine->icnt_spread_cycles / 2);
	close_crossbar();
	open_crossbar("h200", 3);
	CHECK(!memcmp(path, crossbar.path, (size_t)machine->sm_gpcs * slices));
	free(path);
	close_crossbar();
	open_crossbar("gtx480-khairy", 1); /* one crossbar: all equally far */
	for (uint32_t slice = 0; slice < crossbar.map.slices; slice++)
		CHECK_EQ(crossbar_path(&crossbar, 3, slice), 0);
	close_crossbar();
}

/* There, 2,048 lines lie 14 to 21 cycles around the mean of their SM, 18 on the mean (validation/probes/distance.cu). */
TEST(slices_of_an_h200_are_as_far_apart_for_one_sm_as_on_the_gpu)
{
	open_crossbar("h200", 1);
	uint32_t slices = crossbar.map.slices;
	uint64_t variances = 0;
	for (uint32_t sm = 0; sm < machine->sm_count; sm++) {
		uint64_t sum = 0, squares = 0;
		for (uint32_t slice = 0; slice < slices; slice++) {
			uint64_t both_ways = 2 * crossbar_path(&crossbar, sm, slice);
			sum += both_ways;
			squares += both_ways * both_ways;
		}
		uint64_t variance = (squares - sum * sum / slices) / slices;
		CHECK(variance >= 14 * 14 && variance <= 22 * 22);
		variances += variance;
	}
	variances /= machine->sm_count;
	CHECK(variances >= 17 * 17 && variances <= 19 * 19);
	close_crossbar();
}

TEST(slices_of_a_channel_have_one_owner_and_all_owners_get_work)
{
	open_crossbar("h200", 4);
	for (uint32_t owners = 1; owners <= 4; owners++) {
		uint32_t slices[4] = {0}, sms[4] = {0};
		crossbar_share(&crossbar, owners);
		CHECK_EQ(crossbar.owners, owners);
		for (uint32_t i = 0; i < crossbar.map.slices; i++) {
			uint32_t first =
			    i / crossbar.map.slices_per_channel * crossbar.map.slices_per_channel;
			CHECK(crossbar.slice_worker[i] < owners);
			CHECK_EQ(crossbar.slice_worker[i], crossbar.slice_worker[first]);
			slices[crossbar.slice_worker[i]]++;
		}
		for (uint32_t i = 0; i < machine->sm_count; i++)
			sms[crossbar.sm_worker[i]]++;
		for (uint32_t w = 0; w < owners; w++)
			CHECK(slices[w] && sms[w] >= machine->sm_count / owners);
	}
	close_crossbar();
}

TEST(every_sm_and_worker_has_credits_of_its_own)
{
	open_crossbar("gtx480-khairy", 3);
	for (uint32_t sm = 0; sm < machine->sm_count; sm++)
		for (uint32_t w = 0; w < 3; w++)
			crossbar_credits(&crossbar, sm, w)->coming = 1 + sm * 3 + w;
	for (uint32_t sm = 0; sm < machine->sm_count; sm++)
		for (uint32_t w = 0; w < 3; w++)
			CHECK_EQ(crossbar_credits(&crossbar, sm, w)->coming, 1 + sm * 3 + w);
	close_crossbar();
}

TEST_RUN_ALL(true)
