import { expect, test } from "vitest";
import { createAuthorizationHeader } from "./oauth1.ts";

const signatureIn = (header: string) => decodeURIComponent(/oauth_signature="([^"]+)"/.exec(header)![1]!);

test("the example request of OAuth 1.0 (RFC 5849, 1.2) gets the documented signature", () => {
  const header = createAuthorizationHeader(
    {
      key: "dpf43f3p2l4k3l03",
      secret: "kd94hf93k423kf44",
      token: "nnch734d00sl2jdk",
      tokenSecret: "pfkkdhi9sl3r4s00",
    },
    { method: "GET", url: "http://photos.example.net/photos?file=vacation.jpg&size=original" },
    { nonce: "kllo9940pd9333jh", timestamp: 1_191_242_096 },
  );
  // The well-known example of OAuth Core 1.0a, appendix A.5: the same request with `oauth_version`.
  expect(signatureIn(header)).toBe("tR3+Ty81lMeYAr/Fid0kMTYa/WM=");
});

test("reserved characters are percent-encoded", () => {
  const of = (status: string) =>
    signatureIn(
      createAuthorizationHeader(
        {
          key: "xvz1evFS4wEEPTGEFPHBog",
          secret: "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
          token: "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
          tokenSecret: "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE",
        },
        {
          method: "POST",
          url:
            "https://api.twitter.com/1.1/statuses/update.json?include_entities=true" +
            `&status=${encodeURIComponent(status)}`,
        },
        { nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", timestamp: 1_318_622_958 },
      ),
    );
  // The example of X's documentation, "Creating a signature".
  expect(of("Hello Ladies + Gentlemen, a signed OAuth request!")).toBe("hCtSmYh+iHYCEqBWrE7C7hYmtUk=");
});
