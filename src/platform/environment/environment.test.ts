import { describe, expect, test } from "vitest";
import { EnvironmentError, readEnvironment } from "./index.ts";

describe("environment", () => {
  test("can be empty", () => {
    const it = readEnvironment({});
    expect(it).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      url: null,
      seed: "demo",
      production: false,
      databaseUrl: null,
      workerInside: true,
    });
  });

  test("treats an empty value as unset", () => {
    expect(readEnvironment({ PORT: "", DATABASE_URL: "" })).toMatchObject({ port: 3000, databaseUrl: null });
  });

  test("uses strict API defaults unless KITH_API_DEFAULTS is hosted", () => {
    expect(readEnvironment({}).apiDefaults).toBe("careful");
    expect(readEnvironment({ KITH_API_DEFAULTS: "hosted" }).apiDefaults).toBe("hosted");
    expect(() => readEnvironment({ KITH_API_DEFAULTS: "open" })).toThrow(
      "KITH_API_DEFAULTS: must be careful or hosted",
    );
  });

  test("defaults to an empty community in production", () => {
    expect(readEnvironment({ NODE_ENV: "production" })).toMatchObject({ seed: "empty", logLevel: "info" });
  });

  test("reduces the public URL to its origin", () => {
    expect(readEnvironment({ KITH_URL: "https://kith.example.org/" }).url).toBe("https://kith.example.org");
  });

  test.each([
    [{}, false],
    [{ KITH_URL: "http://kith.example.org" }, false],
    [{ KITH_URL: "https://kith.example.org" }, true],
    [{ KITH_URL: "HTTPS://kith.example.org" }, true],
    [{ KITH_TRUST_PROXY: "1" }, true],
  ])("with %j counts as behind a proxy: %s", (variables, behindProxy) => {
    expect(readEnvironment(variables).behindProxy).toBe(behindProxy);
  });

  test("sends no telemetry without a collector", () => {
    expect(readEnvironment({ OTEL_SERVICE_NAME: "kith" }).telemetry).toBeNull();
  });

  test("reads the collector's headers, whose values are percent-encoded", () => {
    const { telemetry } = readEnvironment({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%20secret,tenant=garden=1",
      OTEL_TRACES_SAMPLER_ARG: "0.5",
    });
    expect(telemetry).toEqual({
      endpoint: "http://localhost:4318",
      headers: { "api-key": "a secret", tenant: "garden=1" },
      serviceName: "kith",
      sampled: 0.5,
    });
  });

  test("may define any number of sign-in providers", () => {
    const { providers } = readEnvironment({
      OIDC_TOWN_ISSUER: "https://id.example.org",
      OIDC_TOWN_CLIENT_ID: "kith",
      OIDC_TOWN_CLIENT_SECRET: "s",
    });
    expect(providers).toEqual([
      {
        kind: "openid",
        name: "town",
        issuer: "https://id.example.org",
        clientId: "kith",
        clientSecret: "s",
        linksByEmail: false,
      },
    ]);
  });

  test("reports unknown variables and variables without effect, without their values", () => {
    const { unread } = readEnvironment({
      OIDC_MY_CORP_ISSUER: "https://id.example.org",
      OIDC_my_ISSUER: "https://id.example.org",
      OIDC_HALF_CLIENT_SECRET: "hunter2",
      OIDC_TOWN: "hunter2",
      KITH_ADMIN_PASWORD: "hunter2",
      KITH_EMPTY: "",
      KITH_TEST_PORT: "3001",
      KITH_SEED: "empty",
      DATABASE_HOST: "db",
    });
    expect(unread.map(({ variable, sentence }) => `${variable} ${sentence}`)).toEqual([
      "KITH_ADMIN_PASWORD is not a variable of Kith and has no effect.",
      "OIDC_HALF_CLIENT_SECRET has no effect unless OIDC_HALF_ISSUER is set.",
      "OIDC_MY_CORP_ISSUER has no effect: a provider's name can have capitals and digits only, as in " +
        "OIDC_MYCORP_ISSUER.",
      "OIDC_TOWN is not a variable of Kith and has no effect. A provider needs OIDC_<NAME>_ISSUER, " +
        "_CLIENT_ID and _CLIENT_SECRET.",
      "OIDC_my_ISSUER has no effect: a provider's name can have capitals and digits only, as in OIDC_MY_ISSUER.",
    ]);
  });

  test("links accounts by email address only when the variable of the provider is 1", () => {
    const town = {
      OIDC_TOWN_ISSUER: "https://id.example.org",
      OIDC_TOWN_CLIENT_ID: "kith",
      OIDC_TOWN_CLIENT_SECRET: "s",
    };
    expect(readEnvironment({ ...town, OIDC_TOWN_LINK_BY_EMAIL: "1" }).providers).toMatchObject([
      { linksByEmail: true },
    ]);
    expect(() => readEnvironment({ ...town, OIDC_TOWN_LINK_BY_EMAIL: "yes" })).toThrow(
      "OIDC_TOWN_LINK_BY_EMAIL: must be 0 or 1.",
    );
  });

  test("configures Facebook and X as sign-in providers", () => {
    const { providers } = readEnvironment({
      FACEBOOK_APP_ID: "1234",
      FACEBOOK_APP_SECRET: "s",
      TWITTER_API_KEY: "key",
      TWITTER_API_SECRET: "t",
    });
    expect(providers).toEqual([
      { kind: "facebook", name: "facebook", clientId: "1234", clientSecret: "s", linksByEmail: false },
      { kind: "twitter", name: "twitter", clientId: "key", clientSecret: "t", linksByEmail: false },
    ]);
  });

  test.each([
    ["PORT", "eighty", "PORT: must be a number."],
    [
      "SEARCH_URL",
      "search.example.org",
      "SEARCH_URL: must be an address with the key in it, such as https://:key@search.example.org.",
    ],
    [
      "KITH_SEARCH_CLIENT",
      "fast",
      "KITH_SEARCH_CLIENT: must be some of lite, full and cache, separated by commas.",
    ],
    [
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      "localhost:4318",
      "OTEL_EXPORTER_OTLP_ENDPOINT: must be the address of a collector, such as http://localhost:4318.",
    ],
    [
      "OTEL_EXPORTER_OTLP_HEADERS",
      "a secret",
      "OTEL_EXPORTER_OTLP_HEADERS: must be pairs such as api-key=secret, separated by commas.",
    ],
    ["OTEL_TRACES_SAMPLER_ARG", "2", "OTEL_TRACES_SAMPLER_ARG: must be 0 to 1."],
    [
      "KITH_TRUST_PROXY",
      "nginx",
      "KITH_TRUST_PROXY: must be a number of proxies, 0 to 10, or their networks, such as 10.0.0.0/8,127.0.0.1.",
    ],
    [
      "KITH_TRUST_PROXY",
      "10.0.0.0/33",
      "KITH_TRUST_PROXY: must be a number of proxies, 0 to 10, or their networks, such as 10.0.0.0/8,127.0.0.1.",
    ],
    ["PORT", "70000", "PORT: must be 0 to 65535."],
    ["PORT", "80.5", "PORT: must be a whole number."],
    ["KITH_URL", "kith.example.org", "KITH_URL: must be an address such as https://kith.example.org."],
    ["KITH_URL", "javascript:alert(1)", "KITH_URL: must be an address such as https://kith.example.org."],
    [
      "DATABASE_URL",
      "mysql://x/y",
      "DATABASE_URL: must be an address such as postgres://user:password@host:5432/kith.",
    ],
    [
      "MAIL_FROM",
      "our community",
      "MAIL_FROM: must be an email address, such as Our community <hello@example.org>.",
    ],
    [
      "SMTP_URL",
      "mail.example.org",
      "SMTP_URL: must be an address such as smtp://user:password@mail.example.org:587.",
    ],
    ["MAIL_REPLY", "reply", "MAIL_REPLY: must be an email address."],
    [
      "REDIS_URL",
      "localhost:6379",
      "REDIS_URL: must be an address such as redis://user:password@host:6379/0.",
    ],
    ["S3_URL", "kith", "S3_URL: must be the address of a bucket, such as https://s3.example.org/kith."],
    [
      "S3_URL",
      "https://s3.example.org/kith",
      "S3_KEY: must be set when another of S3_URL, S3_KEY and S3_SECRET is.",
    ],
    [
      "APNS_KEY",
      "key.p8",
      "APNS_KEY_ID: must be set when another of APNS_KEY, APNS_KEY_ID, APNS_TEAM_ID and APNS_TOPIC is.",
    ],
    [
      "APNS_URL",
      "api.push.apple.com",
      "APNS_URL: must be an address such as https://api.sandbox.push.apple.com.",
    ],
    [
      "MAIL_REPLY",
      "reply@example.org",
      "MAIL_REPLY: needs MAIL_IN_SECRET or MAIL_IN_FOLDER: without one of them, replies cannot be received.",
    ],
    ["MAIL_IN_SECRET", "short", "MAIL_IN_SECRET: must have at least 16 characters."],
    ["KITH_EXTENSION_SECONDS", "0", "KITH_EXTENSION_SECONDS: must be 1 to 60."],
    ["KITH_EXTENSION_MEMORY", "lots", "KITH_EXTENSION_MEMORY: must be a number."],
    ["KITH_SEED", "full", "KITH_SEED: must be demo or empty."],
    ["NODE_ENV", "prod", "NODE_ENV: must be development, production or test."],
    ["KITH_ADMIN_EMAIL", "ada", "KITH_ADMIN_EMAIL: must be an email address."],
    ["KITH_SERVER_KEY", "short", "KITH_SERVER_KEY: must have at least 16 characters."],
    ["FACEBOOK_APP_ID", "1234", "FACEBOOK_APP_SECRET: must be set when FACEBOOK_APP_ID is."],
    ["TWITTER_API_SECRET", "s", "TWITTER_API_KEY: must be set when TWITTER_API_SECRET is."],
    [
      "OIDC_TOWN_ISSUER",
      "https://id.example.org",
      "OIDC_TOWN_CLIENT_ID: must be set when OIDC_TOWN_ISSUER is.",
    ],
  ])("explains in one sentence why %s=%s is wrong", (variable, value, sentence) => {
    expect(() => readEnvironment({ [variable]: value })).toThrow(
      new EnvironmentError(sentence.split(":")[0]!, sentence.split(": ").slice(1).join(": ")),
    );
  });

  test("does not repeat a secret in an error message", () => {
    expect(() => readEnvironment({ KITH_ADMIN_PASSWORD: "hunter2" })).toThrow(/^(?!.*hunter2)/);
  });
});
