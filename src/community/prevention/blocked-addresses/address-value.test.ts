import { describe, expect, test } from "vitest";
import { listBlockingValues, parseBlockedAddress } from "./address-value.ts";

describe("blocked address", () => {
  test.each([
    [" Example.COM ", "domain", "example.com"],
    ["@mail.example.com", "domain", "mail.example.com"],
    ["*.example.com", "domain", "example.com"],
    ["bücher.example", "domain", "xn--bcher-kva.example"],
    ["Ann+news@Example.com", "email", "ann@example.com"],
    ["203.0.113.7", "network", "203.0.113.7/32"],
    ["203.0.113.0/24", "network", "203.0.113.0/24"],
    ["2001:DB8::/32", "network", "2001:db8::/32"],
  ])("%s is a %s", (typed, kind, value) => {
    expect(parseBlockedAddress(typed)).toEqual({ kind, value });
  });

  test.each([
    "com",
    "a b.example",
    "a@b@c.example",
    "0.0.0.0/0",
    "2001::/8",
    "203.0.113.0/33",
    "203.0.113.0/x",
    "203.0.113.0/24/1",
    "fe80::1%eth0",
    "",
    "-a.example",
  ])("%s is refused", (typed) => {
    expect(parseBlockedAddress(typed)).toHaveProperty("error");
  });

  test("covers tagged addresses and domains below it", () => {
    expect(listBlockingValues("Ann+x@mail.Example.com")).toEqual([
      "ann@mail.example.com",
      "mail.example.com",
      "example.com",
      "com",
    ]);
  });
});
