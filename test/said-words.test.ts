import { expect, test } from "vitest";
import { z } from "zod";
import { neededText } from "#community/common";
import { builtPages, sayingIn } from "../src/build.ts";

const said = sayingIn(await builtPages());

const title = z.object({ title: neededText("The title", "Give it a title.", 12_000, 8) });
const refusedFor = (typed: string) => title.safeParse({ title: typed }).error!.issues[0]!.message;

test.each([
  ["de", "Gib ihm einen Titel.", "Der Titel braucht mindestens 8 Zeichen.", "Der Titel kann höchstens 12.000 Zeichen haben."],
  ["es", "Ponle un título.", "El título necesita 8 caracteres como mínimo.", "El título puede tener 12.000 caracteres como máximo."],
  ["en", "Give it a title.", "The title needs 8 characters at least.", "The title can have 12,000 characters at most."],
])("what a form says of a text is said in the reader's words, figures too: %s", async (locale, missing, short, long) => {
  expect(await said(locale, refusedFor(""))).toBe(missing);
  expect(await said(locale, refusedFor("a b"))).toBe(short);
  expect(await said(locale, refusedFor("x".repeat(12_001)))).toBe(long);
  expect(await said(locale, "Nobody has put this into words, which can have 5 characters at most.")).toContain("Nobody has put");
});
