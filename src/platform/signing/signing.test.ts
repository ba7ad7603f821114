import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSigner } from "./index.ts";

const signer = createSigner(randomBytes(32));
const token = signer.sign("stop-mail", "mira digest");

test("signed text can be read only for the purpose it was signed for", () => {
  expect(token).toMatch(/^[\w-]+$/);
  expect(signer.read("stop-mail", token)).toBe("mira digest");
  expect(signer.read("answer", token)).toBeNull();
  expect(createSigner(randomBytes(32)).read("stop-mail", token)).toBeNull();
});

test.each(["", "a", "nonsense", "…", "a".repeat(5_000), Buffer.alloc(16).toString("base64url")])(
  "text without a valid signature is read as null: %s",
  (made) => {
    expect(signer.read("stop-mail", made)).toBeNull();
  },
);

test("signature becomes invalid when any character changes", () => {
  for (let at = 0; at < token.length - 1; at++) {
    const other = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
    expect(signer.read("stop-mail", other)).toBeNull();
  }
});
