// Trees to begin with: a textbook's, the papers', and some that show one thing each.

export const EXAMPLES = [
  { name: "A textbook's tree: alpha-beta visits 7 of 9 leaves", tree: "((3 12 8) (2 4 6) (14 5 2))", algorithm: "alpha-beta" },
  { name: "Four plies: SSS* against alpha-beta", tree: "((((3 12) (8 1)) ((2 4) (6 9))) (((14 5) (2 7)) ((1 3) (4 4))))", algorithm: "sss" },
  { name: "A deep cut-off", tree: "((5 9) (((4 8) 7) 6))", algorithm: "alpha-beta" },
  { name: "Width 4, depth 2: PS*(2) against SSS*", tree: "((1 0 8 7) (7 3 0 3) (5 3 1 3) (8 4 5 3))", algorithm: "ps:2" },
  { name: "The example of Bhattacharya and Bagchi: PARSSS* with 2 processes", tree: "((((4 4) (4 0)) ((4 4) (0 0))) (((6 5) (6 5)) ((5 4) (3 0))))", algorithm: "parsss:2" },
  { name: "MTD(f): every call asks one question", tree: "((((3 12) (8 1)) ((2 4) (6 9))) (((14 5) (2 7)) ((1 3) (4 4))))", algorithm: "mtd-f:5" },
  { name: "SSS-2: SSS* as alpha-beta calls on a memory", tree: "((((3 12) (8 1)) ((2 4) (6 9))) (((14 5) (2 7)) ((1 3) (4 4))))", algorithm: "sss-2" },
  { name: "Scout tests before it evaluates", tree: "((7 9 4) (8 6 5) (3 9 9) (6 8 7))", algorithm: "scout" },
  { name: "PS*(2) where the printed operator errs", tree: "(((4 1)) 2 3)", algorithm: "ps:2" },
  { name: "Best moves first: the minimal tree", tree: "((((8 9) (7 6)) ((9 8) (9 9))) (((7 5) (6 4)) ((9 7) (8 8))))", algorithm: "alpha-beta" },
  { name: "Worst moves first: alpha-beta visits everything", tree: "(((1 2) (3 4)) ((5 6) (7 8)))", algorithm: "alpha-beta" },
];
