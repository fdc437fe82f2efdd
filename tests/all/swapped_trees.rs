//! Swapped trees: the same value whatever the order, and an order that shows.

use plyground::laboratory;
use plyground::search::SearchSpec;
use plyground::tree::Swapped;

#[test]
fn swapping_leaves_the_value_and_orders_the_tree() {
    let alpha_beta = "alpha-beta".parse().unwrap();
    let mut leaves = Vec::new();
    for q in [0.0, 0.5, 1.0] {
        let mut total = 0;
        for seed in 0..20 {
            let tree = Swapped::new(4, 6, 1000, q, seed).unwrap();
            let unordered = Swapped::new(4, 6, 1000, 0.3, seed).unwrap();
            assert_eq!(tree.value(), unordered.value());
            let spec = SearchSpec::counted(&alpha_beta, 6);
            let outcome = laboratory::search(&tree.clone().into(), &spec, None).unwrap();
            assert_eq!(outcome.value, Some(tree.value()));
            total += outcome.counts.leaves.unwrap();
        }
        leaves.push(total);
    }
    assert!(leaves[0] > leaves[1] && leaves[1] > leaves[2], "{leaves:?}");
    // The first child is best everywhere: the minimal tree, 4³ + 4³ - 1 leaves.
    assert_eq!(leaves[2], 20 * 127);
}
