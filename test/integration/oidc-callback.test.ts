import { describe, expect, test } from "vitest";
import {
  CLIENT,
  database,
  issuer,
  listPeople,
  createAccountsWithOidc,
  ORIGIN,
  otherProvider,
  visitProvider,
} from "../support/accounts/oidc-setup.ts";
import { beginProviderSignIn, finishProviderSignIn } from "#community/accounts";

describe("provider callback", () => {
  test("must match a sign-in that the same browser began", async () => {
    const accounts = createAccountsWithOidc();
    const [mine, another] = [
      await beginProviderSignIn(accounts, "other", "/"),
      await beginProviderSignIn(accounts, "other", "/"),
    ];
    const callback = await visitProvider(mine.redirectTo, "ana");
    for (const remember of [another.remember, "", "made-up", mine.remember.slice(0, -4)])
      await expect(
        finishProviderSignIn(accounts, "other", callback, remember, CLIENT, "web"),
      ).rejects.toMatchObject({ reason: "invalid" });
    expect(await listPeople()).toEqual([]);
  });

  test("fails with a wrong state, without a code, or on repetition", async () => {
    const accounts = createAccountsWithOidc();
    const begun = await beginProviderSignIn(accounts, "other", "/");
    const callback = await visitProvider(begun.redirectTo, "ana");
    const finish = (url: string) =>
      finishProviderSignIn(accounts, "other", url, begun.remember, CLIENT, "web");
    const stateless = new URL(callback);
    stateless.searchParams.set("state", "another");
    await expect(finish(stateless.href)).rejects.toMatchObject({ reason: "invalid" });
    await expect(finish(`${ORIGIN}/login/from/other`)).rejects.toMatchObject({ reason: "invalid" });
    expect(await finish(callback)).toMatchObject({ kind: "signed-in" });
    await expect(finish(callback)).rejects.toMatchObject({ reason: "invalid" });
  });

  test("fails with a wrong nonce", async () => {
    const accounts = createAccountsWithOidc();
    const begun = await beginProviderSignIn(accounts, "other", "/");
    const elsewhere = new URL(begun.redirectTo);
    elsewhere.searchParams.set("nonce", "somebody-elses-nonce");
    const callback = await visitProvider(elsewhere.href, "ana");
    await expect(
      finishProviderSignIn(accounts, "other", callback, begun.remember, CLIENT, "web"),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
  });

  test("expires after ten minutes", async () => {
    const accounts = createAccountsWithOidc();
    const begun = await beginProviderSignIn(accounts, "other", "/");
    const callback = await visitProvider(begun.redirectTo, "ana");
    database.clock.pass(601_000);
    await expect(
      finishProviderSignIn(accounts, "other", callback, begun.remember, CLIENT, "web"),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
  });

  test("reports that the person declined", async () => {
    const accounts = createAccountsWithOidc();
    const { redirectTo, remember } = await beginProviderSignIn(accounts, "other", "/");
    const state = new URL(redirectTo).searchParams.get("state") ?? "";
    const answer = new URLSearchParams({ error: "access_denied", state, iss: issuer });
    await expect(
      finishProviderSignIn(
        accounts,
        "other",
        `${ORIGIN}/login/from/other?${answer}`,
        remember,
        CLIENT,
        "web",
      ),
    ).rejects.toMatchObject({ reason: "not-allowed" });
  });
});

describe("sign-in provider", () => {
  test("causes an error while unreachable, and works again on the next sign-in", async () => {
    const accounts = createAccountsWithOidc("http://127.0.0.1:1");
    for (const _ of [1, 2])
      await expect(beginProviderSignIn(accounts, "other", "/")).rejects.toMatchObject({
        reason: "unavailable",
        retryAfter: 30,
      });
  });

  test("with an unknown name returns 404", async () => {
    const accounts = createAccountsWithOidc();
    expect([...accounts.signInProviders.keys()]).toEqual(["other"]);
    await expect(beginProviderSignIn(accounts, "nobody", "/")).rejects.toMatchObject({ reason: "not-found" });
  });

  test("may lack HTTPS on the loopback interface only", async () => {
    let requests = 0;
    const count = () => void (requests += 1);
    otherProvider.server.on("request", count);
    // The same server under a name that is not loopback.
    await expect(
      beginProviderSignIn(createAccountsWithOidc(issuer.replace("127.0.0.1", "0.0.0.0")), "other", "/"),
    ).rejects.toMatchObject({
      reason: "unavailable",
    });
    expect(requests).toBe(0);
    await beginProviderSignIn(createAccountsWithOidc(), "other", "/");
    expect(requests).toBeGreaterThan(0);
    otherProvider.server.off("request", count);
  });
});
