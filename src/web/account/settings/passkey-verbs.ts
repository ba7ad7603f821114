import { redirect } from "react-router";
import { z } from "zod";
import type { SignedIn } from "#community/rules";
import { parseForm } from "../../forms.ts";
import { urls } from "../../urls.ts";
import type { Visit } from "../../visit.ts";
import { under } from "./under.ts";

type Asked = { visit: Visit; me: SignedIn; form: FormData };

const text = z.string().trim();
const id = z.object({ id: z.uuid("That is not something we know.") });
/** Whoever has neither a password nor codes has nothing to write into the field. */
const anyProof = z.object({ proof: z.string().default("") });
const proof = z.object({ proof: z.string().min(1, "Your password or a code is needed.") });
const saved = (me: SignedIn, intent: string) => redirect(urls.settings(me.id, "passkeys", { saved: intent }));

export const passkeyVerbs = {
  "begin-passkey": async ({ visit, me, form }: Asked) =>
    under("add-passkey", form, async (fields) => {
      const { proof } = parseForm(anyProof, fields);
      return { passkey: await visit.house.accounts.beginPasskey(me, { proof }, visit.sessionId) };
    }),
  "add-passkey": async ({ visit, me, form }: Asked) => {
    const { credential } = parseForm(z.object({ credential: text }), form);
    await under("add-passkey", form, (fields) => {
      const { name } = parseForm(z.object({ name: text }), fields);
      return visit.house.accounts.addPasskey(me, { name, credential });
    });
    return saved(me, "add-passkey");
  },
  "rename-passkey": async ({ visit, me, form }: Asked) => {
    const { id: key } = parseForm(id, form);
    const prefix = `rename-${key}`;
    await under(prefix, form, (fields) => visit.house.accounts.renamePasskey(me, key, parseForm(z.object({ name: text }), fields).name));
    return saved(me, "rename-passkey");
  },
  // Recovery codes are shown in this response only; people who have some already get none.
  "ask-for-passkey": async ({ visit, me, form }: Asked) => {
    const asked = await under("ask-for-passkey", form, (fields) => {
      const { proof } = parseForm(anyProof, fields);
      return visit.house.accounts.askForPasskey(me, { proof, sessionId: visit.sessionId });
    });
    return asked.recoveryCodes ? asked : redirect(urls.settings(me.id, "second-step", { saved: "ask-for-passkey" }));
  },
  "waive-passkey": async ({ visit, me, form }: Asked) => {
    await under("waive-passkey", form, (fields) => visit.house.accounts.waivePasskey(me, parseForm(proof, fields).proof));
    return redirect(urls.settings(me.id, "second-step", { saved: "waive-passkey" }));
  },
  "remove-passkey": async ({ visit, me, form }: Asked) => {
    await visit.house.accounts.removePasskey(me, parseForm(id, form).id);
    return saved(me, "remove-passkey");
  },
};
