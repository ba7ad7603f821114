import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FIXTURES = /from "(\.[^"]*\/test\/support\/(?!setup\/)[^"]*\.ts)"/g;
/** Setup that such a module does on import, which applies only to the first file that imports it. */
const IMPORT_SETUP = /^(?:export )?const .*= await |^(?:before|after)(?:Each|All)\(/m;

/** Test files of a pattern that can share modules: none of their helpers sets something up on import. */
export const listModuleSharingTests = (pattern: string): string[] =>
  globSync(pattern).filter(
    (path) =>
      ![...readFileSync(path, "utf8").matchAll(FIXTURES)].some(([, from]) =>
        IMPORT_SETUP.test(readFileSync(join(dirname(path), from!), "utf8")),
      ),
  );
