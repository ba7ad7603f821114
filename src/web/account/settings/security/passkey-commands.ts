import { redirect } from "react-router";
import { z } from "zod";
import type { SignedIn } from "#community/rules";
import { parseForm } from "../../../form-parsing.ts";
import { urls } from "../../../urls.ts";
import type { RequestContext } from "../../../request-context.ts";
import { withPrefixedFields } from "../prefixed-fields.ts";
import {
  beginPasskeyCreation,
  addPasskey,
  renamePasskey,
  requirePasskey,
  stopRequiringPasskey,
  removePasskey,
} from "#community/accounts";

type CommandInput = { ctx: RequestContext; me: SignedIn; form: FormData };

const text = z.string().trim();
const IdForm = z.object({ id: z.uuid("Unknown value.") });
/** Password or code. Empty for people who have neither; they must have signed in recently instead. */
const anyProof = z.object({ proof: z.string().default("") });
const ProofForm = z.object({ proof: z.string().min(1, "Enter your password or a code.") });
const redirectToSaved = (me: SignedIn, intent: string) =>
  redirect(urls.settings(me.id, "security", "passkeys", { saved: intent }));

export const passkeyCommands = {
  "begin-passkey": async ({ ctx, me, form }: CommandInput) =>
    withPrefixedFields("add-passkey", form, async (fields) => {
      const { proof } = parseForm(anyProof, fields);
      return { passkey: await beginPasskeyCreation(ctx.app, me, { proof }, ctx.sessionId) };
    }),
  "add-passkey": async ({ ctx, me, form }: CommandInput) => {
    const { credential } = parseForm(z.object({ credential: text }), form);
    await withPrefixedFields("add-passkey", form, (fields) => {
      const { name } = parseForm(z.object({ name: text }), fields);
      return addPasskey(ctx.app, me, { name, credential });
    });
    return redirectToSaved(me, "add-passkey");
  },
  "rename-passkey": async ({ ctx, me, form }: CommandInput) => {
    const { id: key } = parseForm(IdForm, form);
    const prefix = `rename-${key}`;
    await withPrefixedFields(prefix, form, (fields) =>
      renamePasskey(ctx.app, me, key, parseForm(z.object({ name: text }), fields).name),
    );
    return redirectToSaved(me, "rename-passkey");
  },
  // Recovery codes are shown in this response only. People who already have codes get no new codes.
  "require-passkey": async ({ ctx, me, form }: CommandInput) => {
    const asked = await withPrefixedFields("require-passkey", form, (fields) => {
      const { proof } = parseForm(anyProof, fields);
      return requirePasskey(ctx.app, me, { proof, sessionId: ctx.sessionId });
    });
    return asked.recoveryCodes
      ? asked
      : redirect(urls.settings(me.id, "security", "second-step", { saved: "require-passkey" }));
  },
  "waive-passkey": async ({ ctx, me, form }: CommandInput) => {
    await withPrefixedFields("waive-passkey", form, (fields) =>
      stopRequiringPasskey(ctx.app, me, parseForm(ProofForm, fields).proof),
    );
    return redirect(urls.settings(me.id, "security", "second-step", { saved: "waive-passkey" }));
  },
  "remove-passkey": async ({ ctx, me, form }: CommandInput) => {
    await removePasskey(ctx.app, me, parseForm(IdForm, form).id);
    return redirectToSaved(me, "remove-passkey");
  },
};
