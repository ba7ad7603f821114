import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FIXTURES = /from "(\.[^"]*\.fixture\.ts)"/g;
/** What such a fixture does as soon as it is imported, which holds only for the first file that does. */
const SETS_UP = /^(?:export )?const .*= await |^(?:before|after)(?:Each|All)\(/m;

/** Of the test files of a pattern those that can share modules: none of their fixtures sets something up when it is imported. */
export const sharing = (pattern: string): string[] =>
  globSync(pattern).filter(
    (path) =>
      ![...readFileSync(path, "utf8").matchAll(FIXTURES)].some(([, from]) =>
        SETS_UP.test(readFileSync(join(dirname(path), from!), "utf8")),
      ),
  );
