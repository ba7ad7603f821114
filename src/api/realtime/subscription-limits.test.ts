import { expect, test } from "vitest";
import { clientNetwork } from "#platform/client-address";
import type { Caller, Subscription } from "./realtime-caller.ts";
import { REQUEST_LIMITS, OPEN_SUBSCRIPTION_LIMITS, SubscriptionLimits } from "./subscription-limits.ts";

const caller = (viewerId: string | null, address: string, withServerKey = false) =>
  ({ viewer: { id: viewerId }, network: clientNetwork(address), withServerKey }) as Caller;
const subscription = () => ({}) as Subscription;

/**
 * Opens as many subscriptions as this caller may have, up to `most`; returns the refusal of the next
 * subscription.
 */
function fill(
  limits: SubscriptionLimits,
  who: Caller,
  most = OPEN_SUBSCRIPTION_LIMITS.process,
): { opened: Subscription[]; refusal: unknown } {
  const opened: Subscription[] = [];
  try {
    while (opened.length < most) {
      limits.assertShare(who);
      const next = subscription();
      limits.add(who, next);
      opened.push(next);
    }
  } catch (refusal) {
    return { opened, refusal };
  }
  return { opened, refusal: null };
}

test("limit for guests at one address does not affect guests at another address", () => {
  const limits = new SubscriptionLimits();
  const { opened, refusal } = fill(limits, caller(null, "192.0.2.1"));
  expect(opened).toHaveLength(OPEN_SUBSCRIPTION_LIMITS.guests);
  expect(refusal).toMatchObject({
    reason: "too-many",
    message: "Guests at one address can have at most 5000 subscriptions.",
  });
  limits.assertShare(caller(null, "192.0.2.2"));
  limits.assertShare(caller("mira", "192.0.2.1"));
});

test("limit per person counts subscriptions from all addresses", () => {
  const limits = new SubscriptionLimits();
  fill(limits, caller("mira", "192.0.2.1"), OPEN_SUBSCRIPTION_LIMITS.person - 1);
  fill(limits, caller("mira", "192.0.2.2"), 1);
  expect(() => limits.assertShare(caller("mira", "192.0.2.3"))).toThrow(
    "One person can have at most 3000 subscriptions.",
  );
  limits.assertShare(caller("tomas", "192.0.2.1"));
});

test("limit per address counts subscriptions of all people", () => {
  const limits = new SubscriptionLimits();
  for (let n = 0; n < 10; n++) fill(limits, caller(`person-${n}`, "192.0.2.1"));
  expect(() => limits.assertShare(caller("another", "192.0.2.1"))).toThrow(
    "One address can have at most 20000 subscriptions.",
  );
  limits.assertShare(caller("another", "192.0.2.2"));
});

test("addresses of one IPv6 network share one limit", () => {
  const limits = new SubscriptionLimits();
  fill(limits, caller(null, "2001:db8:1:2::1"));
  expect(() => limits.assertShare(caller(null, "2001:db8:1:2:ffff::7"))).toThrow("Guests at one address");
  limits.assertShare(caller(null, "2001:db8:1:3::1"));
});

test("process at its limit refuses every caller and names the limit", () => {
  const limits = new SubscriptionLimits();
  fill(limits, caller(null, "192.0.2.1", true));
  expect(() => limits.assertShare(caller("mira", "192.0.2.1"))).toThrow(
    "This server has 50000 subscriptions, the maximum.",
  );
});

test("closed subscription no longer counts towards the limits of its caller", () => {
  const limits = new SubscriptionLimits();
  const guest = caller(null, "192.0.2.1");
  const { opened } = fill(limits, guest);
  limits.remove(opened[0]!);
  limits.assertShare(guest);
  for (const it of opened.slice(1)) limits.remove(it);
  expect(fill(limits, guest).opened).toHaveLength(OPEN_SUBSCRIPTION_LIMITS.guests);
});

test("requests of guests at one address are limited per minute without affecting others", () => {
  let now = 0;
  const limits = new SubscriptionLimits(() => now);
  const guest = caller(null, "192.0.2.1");
  for (let n = 0; n < REQUEST_LIMITS.guests; n++) limits.countRequest(guest);
  now = 20_000;
  expect(() => limits.countRequest(guest)).toThrow(
    "Guests at one address can request at most 6000 subscriptions per minute. Please try again in 40 seconds.",
  );
  limits.countRequest(caller(null, "192.0.2.2"));
  limits.countRequest(caller("mira", "192.0.2.1"));
  for (let n = 0; n < REQUEST_LIMITS.address; n++) limits.countRequest(caller(null, "192.0.2.1", true));
  now = 60_000;
  limits.countRequest(guest);
});
