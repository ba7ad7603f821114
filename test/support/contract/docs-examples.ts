import { readFileSync } from "node:fs";
import { expect } from "vitest";

/** An example of the documentation: its section, its heading, and its lines. */
export type Example = { part: string; heading: string; lines: string[] };

/** Reads the sections of a page, and its runnable examples of a language in order. */
export function readExamples(
  path: string,
  fence: "js run" | "sh run" | "js poster" | "js receiver" | "python receiver" = "js run",
): { parts: string[]; examples: Example[] } {
  const [parts, examples] = [[] as string[], [] as Example[]];
  let heading = "";
  let open: string[] | null = null;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (open && line === "```") open = null;
    else if (open) open.push(line);
    else if (/^#+ /.test(line)) {
      heading = line.replace(/^#+ /, "");
      if (line.startsWith("## ")) parts.push(heading);
    } else if (line === `\`\`\`${fence}`)
      examples.push({ part: parts.at(-1) ?? "", heading, lines: (open = []) });
  }
  return { parts, examples };
}

const IMPORT = /^import (.+) from "(.+)";(?: \/\/ .*)?$/;
const RESULT = /^(const .+? = )?(.+); \/\/ → (.+)$/;

/**
 * Converts a line to code: imports are read from `load`, and the comment after an arrow is compared with the
 * line's result.
 */
function toRunnable(line: string): string {
  const [, names, module] = IMPORT.exec(line) ?? [];
  if (names) return `const ${names} = await load("${module}", ${names.startsWith("{")});`;
  const [, kept = "", work, result] = RESULT.exec(line) ?? [];
  if (!work) return line;
  // An ellipsis stands for further properties of an object.
  const wanted = result!.replaceAll(/, …(?= [}\]])/g, "");
  const name = /^const (\w+) = $/.exec(kept)?.[1];
  return name
    ? `${line}\nholds(${name}, ${wanted}, ${JSON.stringify(line)});`
    : `holds(${work}, ${wanted}, ${JSON.stringify(line)});`;
}

type ExampleScope = Record<string, unknown>;
const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (...given: unknown[]) => Promise<void>;

/** Runs an example with these names in scope; returns the number of lines that state a result. */
export async function runExample(
  { heading, lines }: Example,
  scope: ExampleScope,
  asHere: (text: string) => string,
): Promise<number> {
  let held = 0;
  const holds = (given: unknown, wanted: unknown, line: string) => {
    held++;
    expect({ line, given }).toMatchObject({ line, given: wanted });
  };
  const load = async (module: string, named: boolean) => {
    const loaded = (await import(module)) as { default?: unknown };
    return named ? loaded : loaded.default;
  };
  const known = { ...scope, holds, load };
  // Runs in a block, so that an example may import a name that is already in scope.
  const run = new AsyncFunction(
    ...Object.keys(known),
    `{\n${lines.map((line) => toRunnable(asHere(line))).join("\n")}\n}`,
  );
  await run(...Object.values(known)).catch((error: Error) => {
    throw new Error(`${heading}: ${error.message}`, { cause: error });
  });
  return held;
}
