export type Sum = "+" | "-" | "*" | "/" | "%";
export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** Names that lead to a value: through relations, in either direction, and into JSON. */
export type Path = {
  is: "path";
  at: number;
  /** `Table[relation].…`: rows of that table whose relation contains this one. */
  inverse?: { table: string; relation: string };
  names: string[];
  json?: string;
};

/** A parsed clause with unresolved names. `at` is the position in characters from 0. */
export type Syntax =
  | Path
  | { is: "literal"; at: number; value: string | number | boolean | null }
  | { is: "call"; at: number; name: string; args: Syntax[]; star: boolean }
  | { is: "sum"; at: number; sign: Sum; left: Syntax; right: Syntax }
  | { is: "compare"; at: number; sign: Comparison; left: Syntax; right: Syntax }
  | { is: "like"; at: number; of: Syntax; pattern: string }
  | { is: "in"; at: number; of: Syntax; list: Syntax[] }
  | { is: "between"; at: number; of: Syntax; from: Syntax; to: Syntax }
  | { is: "null"; at: number; of: Syntax }
  | { is: "not"; at: number; of: Syntax }
  | { is: "and" | "or"; at: number; parts: Syntax[] };
