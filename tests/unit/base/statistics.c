/* Statistics and agreement, on numbers worked out by hand. */
#include <math.h>

#include "base/statistics.h"
#include "study/validate/validate.h"
#include "test.h"

static int near(double got, double want)
{
	return fabs(got - want) < 1e-9;
}

TEST(mean_of_nothing_is_nan)
{
	CHECK(isnan(statistics_mean(NULL, 0)));
	CHECK(near(statistics_mean((double[]){1, 2, 6}, 3), 3));
}

TEST(quantiles_interpolate_between_sorted_values)
{
	double values[] = {50, 10, 40, 20, 30};
	CHECK(near(statistics_quantile(values, 5, 0.5), 30));
	CHECK(near(statistics_quantile(values, 5, 0.9), 46)); /* position 3.6: 40 + 0.6 * 10 */
	CHECK(near(statistics_quantile(values, 5, 0), 10));
	CHECK(near(statistics_quantile(values, 5, 1), 50));
	CHECK(near(statistics_quantile(values, 4, 0.5), 30)); /* of 10, 20, 40, 50 */
	CHECK(near(statistics_quantile(values, 1, 0.9), 50));
	CHECK(isnan(statistics_quantile(values, 0, 0.5)));
	CHECK(near(values[0], 50)); /* the caller's order stays */
}

TEST(pearson_is_1_on_a_line_and_known_off_it)
{
	double x[] = {1, 2, 3, 4}, line[] = {5, 7, 9, 11}, falling[] = {4, 3, 2, 1}, bent[] = {1, 3, 2, 4};
	CHECK(near(statistics_pearson(x, line, 4), 1));
	CHECK(near(statistics_pearson(x, falling, 4), -1));
	CHECK(near(statistics_pearson(x, bent, 4), 0.8)); /* covariance 4, variances 5 and 5 */
}

TEST(pearson_without_variation_is_nan)
{
	double x[] = {1, 2, 3}, flat[] = {7, 7, 7};
	CHECK(isnan(statistics_pearson(x, flat, 3)));
	CHECK(isnan(statistics_pearson(x, x, 1)));
	CHECK(isnan(statistics_pearson(x, x, 0)));
}

TEST(log_pearson_is_1_for_a_power_law_and_skips_zeros)
{
	double x[] = {1, 10, 0, 100}, y[] = {2, 200, 5, 20000};
	CHECK(near(statistics_log_pearson(x, y, 4), 1));
	CHECK(isnan(statistics_log_pearson(x, (double[]){0, 0, 1, 0}, 4)));
}

/* ---- agreement
 * ---------------------------------------------------------------------------------------------- */

/* One measure, launches of applications but for the last. */
static struct validation make(enum measure_kind kind, double over, struct validate_launch *launches, size_t n)
{
	struct validation v = {.measures = 1, .launch = launches, .launches = n};
	v.measure[0] = (struct measure){.info = &counter_infos[COUNT_cycles],
	                                .kind = kind,
	                                .counter = COUNT_cycles,
	                                .metric = -1,
	                                .over = over};
	return v;
}

static struct validate_launch launch(double sim, double hw, enum validate_group group)
{
	return (struct validate_launch){
	    .compared = true, .group = group, .program = group == GROUP_PROBE, .sim = {sim}, .hw = {hw}};
}

TEST(percent_errors_are_relative_to_the_hardware)
{
	struct validate_launch launches[] = {launch(110, 100, GROUP_APPLICATIONS),
	                                     launch(150, 200, GROUP_APPLICATIONS),
	                                     launch(300, 300, GROUP_APPLICATIONS), launch(9, 1, GROUP_PROBE)};
	struct validation v = make(MEASURE_PERCENT, 0, launches, 4);
	struct agreement a = validate_agree(&v, GROUP_APPLICATIONS, 0);
	CHECK_EQ(a.n, 3);
	CHECK(near(a.mean, 35.0 / 3)); /* 10, 25, 0 */
	CHECK(near(a.median, 10));
	CHECK(near(a.p90, 22)); /* position 1.8: 10 + 0.8 * 15 */
	CHECK(near(a.worst, -25));
	CHECK_EQ(a.worst_launch, 1);
	CHECK(near(a.bias, -5));
	CHECK(near(a.total, 100 * (560.0 - 600) / 600));
	CHECK_EQ(a.equal, 1);
}

TEST(groups_and_programs_are_kept_apart)
{
	struct validate_launch launches[] = {launch(110, 100, GROUP_APPLICATIONS), launch(9, 1, GROUP_PROBE)};
	struct validation v = make(MEASURE_PERCENT, 0, launches, 2);
	struct agreement probe = validate_agree(&v, GROUP_PROBE, 0),
	                 program = validate_agree_program(&v, 1, 0);
	CHECK_EQ(probe.n, 1);
	CHECK(near(probe.mean, 800));
	CHECK_EQ(program.n, 1);
	CHECK(near(program.worst, 800));
	CHECK(near(validate_agree_program(&v, 0, 0).mean, 10));
}

TEST(zeros_and_small_launches_are_left_out_and_counted)
{
	struct validate_launch launches[] = {launch(5, 0, GROUP_APPLICATIONS),
	                                     launch(10, 20000, GROUP_APPLICATIONS),
	                                     launch(40002, 20001, GROUP_APPLICATIONS)};
	struct validation v = make(MEASURE_PERCENT, 20000, launches, 3);
	struct agreement a = validate_agree(&v, GROUP_APPLICATIONS, 0);
	CHECK_EQ(a.n, 1);
	CHECK_EQ(a.left_out, 2);
	CHECK(near(a.mean, 100));
}

TEST(a_rate_differs_in_points_even_from_zero)
{
	struct validate_launch launches[] = {launch(3, 0, GROUP_APPLICATIONS),
	                                     launch(80, 81, GROUP_APPLICATIONS),
	                                     launch(NAN, NAN, GROUP_APPLICATIONS)};
	struct validation v = make(MEASURE_POINTS, 0, launches, 3);
	struct agreement a = validate_agree(&v, GROUP_APPLICATIONS, 0);
	CHECK_EQ(a.n, 2);
	CHECK_EQ(a.left_out, 1);
	CHECK(near(a.mean, 2));
	CHECK(near(a.worst, 3));
}

TEST(exact_counters_report_the_largest_difference)
{
	struct validate_launch launches[] = {
	    launch(7, 7, GROUP_APPLICATIONS), launch(0, 0, GROUP_APPLICATIONS),
	    launch(60, 100, GROUP_APPLICATIONS), launch(8, 7, GROUP_APPLICATIONS)};
	struct validation v = make(MEASURE_EXACT, 0, launches, 4);
	struct agreement a = validate_agree(&v, GROUP_APPLICATIONS, 0);
	CHECK_EQ(a.n, 4);
	CHECK_EQ(a.equal, 2);
	CHECK(near(a.worst, -40));
	CHECK_EQ(a.worst_launch, 2);
}

TEST(launches_without_a_row_do_not_count)
{
	struct validate_launch launches[] = {launch(5, 7, GROUP_APPLICATIONS)};
	launches[0].compared = false;
	struct validation v = make(MEASURE_PERCENT, 0, launches, 1);
	struct agreement a = validate_agree(&v, GROUP_APPLICATIONS, 0);
	CHECK_EQ(a.n, 0);
	CHECK_EQ(a.left_out, 0);
	CHECK(isnan(a.mean) && isnan(a.worst) && isnan(a.pearson));
}

TEST_RUN_ALL(true)
