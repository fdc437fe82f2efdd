//! `--shard`: which part of the searches a process makes, given in numbers or by its scheduler.

use plyground_core::names::plural;

/// How a scheduler tells a process its place among the others.
struct Scheduler {
    /// The variable with the number of the process.
    index: &'static str,
    /// The variable with the first number; without one, it is `from`.
    first: Option<&'static str>,
    from: usize,
    /// The variable with the step from one number to the next; usually 1.
    step: Option<&'static str>,
    total: Total,
}

/// How many parts there are.
enum Total {
    /// The variable has their number.
    Count(&'static str),
    /// The variable has the last number.
    Last(&'static str),
    /// The scheduler does not say.
    Unknown,
}

/// The schedulers that are understood, those whose variables others may set besides come first.
const SCHEDULERS: [Scheduler; 8] = [
    // A Slurm array.
    Scheduler {
        index: "SLURM_ARRAY_TASK_ID",
        first: Some("SLURM_ARRAY_TASK_MIN"),
        from: 1,
        step: Some("SLURM_ARRAY_TASK_STEP"),
        total: Total::Count("SLURM_ARRAY_TASK_COUNT"),
    },
    // Grid Engine.
    Scheduler {
        index: "SGE_TASK_ID",
        first: Some("SGE_TASK_FIRST"),
        from: 1,
        step: Some("SGE_TASK_STEPSIZE"),
        total: Total::Last("SGE_TASK_LAST"),
    },
    // LSF.
    Scheduler {
        index: "LSB_JOBINDEX",
        first: None,
        from: 1,
        step: Some("LSB_JOBINDEX_STEP"),
        total: Total::Last("LSB_JOBINDEX_END"),
    },
    Scheduler { index: "PBS_ARRAY_INDEX", first: None, from: 1, step: None, total: Total::Unknown },
    // GNU parallel.
    Scheduler { index: "PARALLEL_SEQ", first: None, from: 1, step: None, total: Total::Unknown },
    // The tasks of one Slurm step, started by srun.
    Scheduler {
        index: "SLURM_PROCID",
        first: None,
        from: 0,
        step: None,
        total: Total::Count("SLURM_NTASKS"),
    },
    // mpirun of MPICH and its relatives, and of Open MPI. The program itself needs no MPI.
    Scheduler {
        index: "PMI_RANK",
        first: None,
        from: 0,
        step: None,
        total: Total::Count("PMI_SIZE"),
    },
    Scheduler {
        index: "OMPI_COMM_WORLD_RANK",
        first: None,
        from: 0,
        step: None,
        total: Total::Count("OMPI_COMM_WORLD_SIZE"),
    },
];

/// Reads `I/N`, `auto` or `auto/N`: part I of N.
pub(crate) fn parse(text: &str) -> Result<(usize, usize), String> {
    parse_in(text, |name| std::env::var(name).ok())
}

/// The same with the variables of an environment.
fn parse_in(
    text: &str,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<(usize, usize), String> {
    let expected = || "expected I/N with I from 1 to N, as in 2/4, or auto, or auto/N".to_owned();
    let (part, parts) = match text.split_once('/') {
        None if text == "auto" => (text, None),
        None => return Err(expected()),
        Some((part, parts)) => (part, Some(parts.parse::<usize>().map_err(|_| expected())?)),
    };
    let (part, parts) = match (part, parts) {
        ("auto", parts) => place(parts, variable)?,
        (part, Some(parts)) => (part.parse().map_err(|_| expected())?, parts),
        _ => return Err(expected()),
    };
    if 1 <= part && part <= parts { Ok((part, parts)) } else { Err(expected()) }
}

/// The place that a scheduler gives.
fn place(
    parts: Option<usize>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<(usize, usize), String> {
    // Schedulers may set a variable without a number, as SGE does outside of arrays.
    let number = |name: &str| variable(name)?.trim().parse::<usize>().ok();
    let found = SCHEDULERS.iter().find_map(|scheduler| Some((scheduler, number(scheduler.index)?)));
    let Some((scheduler, index)) = found else {
        let names = SCHEDULERS.map(|scheduler| scheduler.index).join(", ");
        return Err(format!(
            "no scheduler says which part this is; expected one of {names} to be set to a number"
        ));
    };
    let first = scheduler.first.and_then(number).unwrap_or(scheduler.from);
    let step = scheduler.step.and_then(number).unwrap_or(1).max(1);
    let part = |index: usize| index.checked_sub(first).map(|past| past / step + 1);
    let told = match scheduler.total {
        Total::Count(name) => number(name),
        Total::Last(name) => number(name).and_then(part),
        Total::Unknown => None,
    };
    let name = scheduler.index;
    let Some(parts) = parts.or(told) else {
        return Err(format!("{name} is {index}, but nothing says of how many; expected auto/N"));
    };
    match part(index) {
        Some(part) if part <= parts => Ok((part, parts)),
        _ => Err(format!("{name} is {index}, of only {}", plural(parts, "part"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, environment: &[(&str, &str)]) -> Result<(usize, usize), String> {
        let found = |name: &str| environment.iter().find(|(known, _)| *known == name);
        parse_in(text, |name| found(name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn numbers() {
        assert_eq!(read("2/4", &[]), Ok((2, 4)));
        for wrong in ["", "0/4", "5/4", "1", "a/b", "1/0", "auto/", "auto/x", "/4", "auto/0"] {
            assert!(read(wrong, &[("PARALLEL_SEQ", "1")]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn schedulers() {
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "14"),
            ("SLURM_ARRAY_TASK_MIN", "10"),
            ("SLURM_ARRAY_TASK_STEP", "2"),
            ("SLURM_ARRAY_TASK_COUNT", "8"),
            ("SLURM_PROCID", "0"),
            ("SLURM_NTASKS", "1"),
        ];
        assert_eq!(read("auto", &slurm), Ok((3, 8)));
        assert_eq!(read("auto", &slurm[4..]), Ok((1, 1)));
        let zero = [
            ("SLURM_ARRAY_TASK_ID", "0"),
            ("SLURM_ARRAY_TASK_MIN", "0"),
            ("SLURM_ARRAY_TASK_COUNT", "4"),
        ];
        assert_eq!(read("auto", &zero), Ok((1, 4)));
        let sge = [("SGE_TASK_ID", "4"), ("SGE_TASK_FIRST", "1"), ("SGE_TASK_LAST", "6")];
        assert_eq!(read("auto", &sge), Ok((4, 6)));
        assert_eq!(read("auto", &[("LSB_JOBINDEX", "2"), ("LSB_JOBINDEX_END", "3")]), Ok((2, 3)));
        assert_eq!(read("auto/4", &[("PARALLEL_SEQ", "4")]), Ok((4, 4)));
        assert_eq!(read("auto", &[("PMI_RANK", "0"), ("PMI_SIZE", "3")]), Ok((1, 3)));
        let open_mpi = [("OMPI_COMM_WORLD_RANK", "2"), ("OMPI_COMM_WORLD_SIZE", "3")];
        assert_eq!(read("auto", &open_mpi), Ok((3, 3)));
        let told = |text: &str, environment: &[(&str, &str)]| read(text, environment).unwrap_err();
        assert!(told("auto", &[("PARALLEL_SEQ", "4")]).ends_with("expected auto/N"));
        assert!(told("auto/3", &[("PARALLEL_SEQ", "4")]).contains("only 3 parts"));
        assert!(told("auto", &[]).contains("no scheduler"));
        let outside = [("SGE_TASK_ID", "undefined"), ("PARALLEL_SEQ", "1")];
        assert_eq!(read("auto/2", &outside), Ok((1, 2)));
    }
}
