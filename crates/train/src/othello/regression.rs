//! Least squares with many weights, most of them rarely seen.
//!
//! A row is a position: which weights it adds up, a few counts that are multiplied by weights, and the
//! score that the sum should be. The weights minimise the squares of the errors plus a penalty for
//! their own size (*ridge regression*): a weight seen in few positions stays near 0, since it would
//! otherwise learn those positions by heart. The normal equations are solved by conjugate gradients,
//! which needs no step size and gives the same weights for the same rows.

/// The rows of a regression.
#[derive(Default)]
pub(super) struct Rows {
    /// The weights that each row looks up, [`LOOKED_UP`](Rows::LOOKED_UP) in each.
    looked_up: Vec<u32>,
    counted: Vec<[f32; Rows::COUNTED]>,
    scores: Vec<f32>,
    importance: Vec<f32>,
}

/// The penalties of a regression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ridge {
    /// As if each weight that is looked up had been seen this often with a score of 0.
    pub(super) looked_up: f64,
    /// The same for the weights of counts.
    pub(super) counted: f64,
    /// As if rows like these had been seen this many times more, and the weights that were
    /// [subtracted](Rows::subtract) had been right for those.
    pub(super) before: f64,
}

impl Rows {
    pub(super) const LOOKED_UP: usize = plyground_games::othello::INSTANCES;
    pub(super) const COUNTED: usize = plyground_games::othello::TERMS;

    pub(super) fn push(
        &mut self,
        looked_up: [u32; Rows::LOOKED_UP],
        counted: [i32; Rows::COUNTED],
        score: f32,
        importance: f32,
    ) {
        self.looked_up.extend(looked_up);
        self.counted.push(counted.map(|count| count as f32));
        self.scores.push(score);
        self.importance.push(importance);
    }

    pub(super) fn len(&self) -> usize {
        self.scores.len()
    }

    /// What weights say of every row.
    pub(super) fn sums(&self, weights: &[f32], size: usize) -> Vec<f32> {
        self.rows().map(|row| sum(row, weights, size)).collect()
    }

    /// Takes from every score what weights already say, so that a fit finds what to add to them.
    pub(super) fn subtract(&mut self, weights: &[f32], size: usize) {
        let sums = self.sums(weights, size);
        self.scores.iter_mut().zip(sums).for_each(|(score, sum)| *score -= sum);
    }

    fn rows(&self) -> impl Iterator<Item = (&[u32], &[f32; Rows::COUNTED])> {
        self.looked_up.chunks_exact(Rows::LOOKED_UP).zip(&self.counted)
    }

    /// The weights that fit the rows: `size` that are looked up, then those of the counts. `progress`
    /// hears of every step, and ends the work if it returns `false`.
    pub(super) fn fit(
        &self,
        size: usize,
        ridge: Ridge,
        steps: usize,
        progress: &mut dyn FnMut() -> bool,
    ) -> Vec<f32> {
        let all = size + Rows::COUNTED;
        let penalty = |at: usize| if at < size { ridge.looked_up } else { ridge.counted };
        // The diagonal of the normal equations preconditions them, and their right side begins.
        let (mut diagonal, mut residual) = (vec![0.0; all], vec![0.0; all]);
        diagonal.iter_mut().enumerate().for_each(|(at, entry)| *entry = penalty(at));
        for ((looked_up, counted), (&score, &importance)) in
            self.rows().zip(self.scores.iter().zip(&self.importance))
        {
            let (score, importance) = (f64::from(score), f64::from(importance));
            let seen = importance * (1.0 + ridge.before);
            for &at in looked_up {
                diagonal[at as usize] += seen;
                residual[at as usize] += importance * score;
            }
            for (at, &count) in counted.iter().enumerate() {
                diagonal[size + at] += seen * f64::from(count * count);
                residual[size + at] += importance * score * f64::from(count);
            }
        }
        let mut weights = vec![0.0; all];
        let preconditioned = |residual: &[f64]| -> Vec<f64> {
            residual.iter().zip(&diagonal).map(|(r, d)| r / d).collect()
        };
        let mut improved = preconditioned(&residual);
        let mut direction = improved.clone();
        let mut error = dot(&residual, &improved);
        let first = error;
        for _ in 0..steps {
            if error <= first * 1e-12 || !progress() {
                break;
            }
            let image = self.normal(&direction, size, 1.0 + ridge.before, penalty);
            let length = error / dot(&direction, &image);
            for at in 0..all {
                weights[at] += length * direction[at];
                residual[at] -= length * image[at];
            }
            improved = preconditioned(&residual);
            let next = dot(&residual, &improved);
            for (direction, improved) in direction.iter_mut().zip(&improved) {
                *direction = improved + next / error * *direction;
            }
            error = next;
        }
        weights.into_iter().map(|weight| weight as f32).collect()
    }

    /// The sum of the squared errors of weights on the first `count` rows, each as important as its row,
    /// and the sum of the importances.
    pub(super) fn squares(&self, weights: &[f32], size: usize, count: usize) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for ((looked_up, counted), (&score, &importance)) in
            self.rows().zip(self.scores.iter().zip(&self.importance)).take(count)
        {
            let sum = sum((looked_up, counted), weights, size);
            sums[0] += f64::from(importance) * f64::from(sum - score).powi(2);
            sums[1] += f64::from(importance);
        }
        sums
    }

    /// The matrix of the normal equations times a vector, each row counted so many times.
    fn normal(
        &self,
        vector: &[f64],
        size: usize,
        times: f64,
        penalty: impl Fn(usize) -> f64,
    ) -> Vec<f64> {
        let mut image: Vec<f64> =
            vector.iter().enumerate().map(|(at, x)| penalty(at) * x).collect();
        for ((looked_up, counted), &importance) in self.rows().zip(&self.importance) {
            let mut sum: f64 = looked_up.iter().map(|&at| vector[at as usize]).sum();
            for (at, &count) in counted.iter().enumerate() {
                sum += vector[size + at] * f64::from(count);
            }
            sum *= times * f64::from(importance);
            for &at in looked_up {
                image[at as usize] += sum;
            }
            for (at, &count) in counted.iter().enumerate() {
                image[size + at] += sum * f64::from(count);
            }
        }
        image
    }
}

/// What weights say of a row.
fn sum((looked_up, counted): (&[u32], &[f32; Rows::COUNTED]), weights: &[f32], size: usize) -> f32 {
    let looked_up = looked_up.iter().map(|&at| weights[at as usize]).sum::<f32>();
    let counts = counted.iter().zip(&weights[size..]);
    looked_up + counts.map(|(count, weight)| count * weight).sum::<f32>()
}

/// The least-squares solution, by elimination in the normal equations.
pub(super) fn least_squares(rows: &[([f64; 3], f64)]) -> [f64; 3] {
    let mut m = [[0.0; 4]; 3];
    for (x, y) in rows {
        for i in 0..3 {
            for j in 0..3 {
                m[i][j] += x[i] * x[j];
            }
            m[i][3] += x[i] * y;
        }
    }
    for i in 0..3 {
        let pivot = m[i];
        for (j, row) in m.iter_mut().enumerate() {
            if i != j {
                let factor = row[i] / pivot[i];
                row.iter_mut().zip(pivot).for_each(|(cell, above)| *cell -= factor * above);
            }
        }
    }
    std::array::from_fn(|i| m[i][3] / m[i][i])
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    /// Scores that are sums of known weights give the weights' sums back.
    #[test]
    fn what_is_linear_is_found() {
        let mut random = StdRng::seed_from_u64(1);
        let size = 40;
        let truth: Vec<f32> = (0..size).map(|_| random.random_range(-50.0..50.0)).collect();
        let slopes: [f32; Rows::COUNTED] = std::array::from_fn(|_| random.random_range(-9.0..9.0));
        let mut rows = Rows::default();
        for _ in 0..4000 {
            let looked_up = std::array::from_fn(|_| random.random_range(0..size as u32));
            let counted = std::array::from_fn(|_| random.random_range(0..9));
            let score = looked_up.iter().map(|&at| truth[at as usize]).sum::<f32>()
                + counted.iter().zip(slopes).map(|(&n, slope)| n as f32 * slope).sum::<f32>();
            rows.push(looked_up, counted, score, 1.0);
        }
        let ridge = Ridge { looked_up: 1e-3, counted: 1e-3, before: 0.0 };
        let weights = rows.fit(size, ridge, 200, &mut || true);
        for (found, slope) in weights[size..].iter().zip(slopes) {
            assert!((found - slope).abs() < 0.1, "{found} {slope}");
        }
        let means = [&weights[..size], &truth].map(|w| w.iter().sum::<f32>() / size as f32);
        for (found, wanted) in weights.iter().zip(&truth) {
            assert!(((found - means[0]) - (wanted - means[1])).abs() < 0.5);
        }
    }

    #[test]
    fn what_is_seen_once_stays_small() {
        let mut rows = Rows::default();
        for _ in 0..1000 {
            rows.push([0; Rows::LOOKED_UP], [0; Rows::COUNTED], 54.0, 1.0);
        }
        let mut odd = [0; Rows::LOOKED_UP];
        odd[0] = 1;
        rows.push(odd, [0; Rows::COUNTED], 6400.0, 1.0);
        let ridge = Ridge { looked_up: 30.0, counted: 1.0, before: 0.0 };
        let weights = rows.fit(2, ridge, 50, &mut || true);
        // The normal equations by hand: 2,918,839 a + 53 b = 3,255,200 and 53 a + 31 b = 6,400.
        assert!((weights[0] - 1.111_52).abs() < 1e-3, "{weights:?}");
        assert!((weights[1] - 204.551).abs() < 0.05, "{weights:?}");
        // A thousand errors of 54 − 54 a, and one of 6400 − 53 a − b.
        let [sum, count] = rows.squares(&weights, 2, rows.len());
        assert_eq!(count, 1001.0);
        let by_hand = 1000.0 * (54.0 - 54.0 * 1.111_52f64).powi(2) + 6136.54f64.powi(2);
        assert!((sum / by_hand - 1.0).abs() < 1e-3, "{sum} {by_hand}");
    }

    /// Rows that are learnt from after others of their kind give what both would have given at once.
    #[test]
    fn what_was_learnt_before_counts_on() {
        let row = |score: f32| {
            let mut rows = Rows::default();
            let looked_up = std::array::from_fn(|at| at as u32 % 3);
            (0..50).for_each(|_| rows.push(looked_up, [1; Rows::COUNTED], score, 1.0));
            rows
        };
        let ridge = |before| Ridge { looked_up: 20.0, counted: 1.0, before };
        let mut both = row(300.0);
        for _ in 0..3 {
            both.looked_up.extend(row(700.0).looked_up);
            both.counted.extend(row(700.0).counted);
            both.scores.extend(row(700.0).scores);
            both.importance.extend(row(700.0).importance);
        }
        let at_once = both.fit(3, ridge(0.0), 50, &mut || true);
        // First three times the rows with 700, then those with 300.
        let mut first = Rows::default();
        for (at, &score) in both.scores.iter().enumerate().skip(50) {
            let looked_up = both.looked_up[at * Rows::LOOKED_UP..][..Rows::LOOKED_UP].try_into();
            first.push(looked_up.unwrap(), [1; Rows::COUNTED], score, 1.0);
        }
        let before = first.fit(3, ridge(0.0), 50, &mut || true);
        let mut second = row(300.0);
        second.subtract(&before, 3);
        let change = second.fit(3, ridge(3.0), 50, &mut || true);
        for ((before, change), wanted) in before.iter().zip(change).zip(at_once) {
            assert!((before + change - wanted).abs() < 1e-2, "{before} {change} {wanted}");
        }
    }
}
