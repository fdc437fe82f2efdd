//! How long criterion measures one benchmark: briefly, because there are many.

use std::time::Duration;

use criterion::BenchmarkGroup;
use criterion::measurement::WallTime;

/// Half a second to warm up and two seconds to measure.
pub fn brief(group: &mut BenchmarkGroup<'_, WallTime>) {
    group.warm_up_time(Duration::from_millis(500));
    group.measurement_time(Duration::from_secs(2));
    // Enough for an interval; the usual hundred thousand take longer than the measurement.
    group.nresamples(10_000);
}
