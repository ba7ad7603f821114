export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%";
export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** A name, which may lead through relations in either direction and into JSON. */
export type NamePath = {
  is: "path";
  at: number;
  /** For `Table[relation].…`: the rows of that table whose relation contains this row. */
  inverse?: { table: string; relation: string };
  names: string[];
  json?: string;
};

/** A parsed clause with unresolved names. `at` is the position in characters from 0. */
export type SyntaxNode =
  | NamePath
  | { is: "literal"; at: number; value: string | number | boolean | null }
  | { is: "call"; at: number; name: string; args: SyntaxNode[]; star: boolean }
  | { is: "sum"; at: number; sign: ArithmeticOperator; left: SyntaxNode; right: SyntaxNode }
  | { is: "compare"; at: number; sign: Comparison; left: SyntaxNode; right: SyntaxNode }
  | { is: "like"; at: number; of: SyntaxNode; pattern: string }
  | { is: "in"; at: number; of: SyntaxNode; list: SyntaxNode[] }
  | { is: "between"; at: number; of: SyntaxNode; from: SyntaxNode; to: SyntaxNode }
  | { is: "null"; at: number; of: SyntaxNode }
  | { is: "not"; at: number; of: SyntaxNode }
  | { is: "and" | "or"; at: number; parts: SyntaxNode[] };
