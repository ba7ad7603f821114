import { HEADERS, LANGS, people, P } from "./demo-files.mjs";
import { reportError, checkLength, checkOneOf, checkUnique, checkNumber } from "./report.mjs";

checkUnique(
  "people",
  people.map((p) => p.username),
);
checkUnique(
  "people e-mail",
  people.map((p) => p.email),
);
for (const p of people) {
  const w = `people/${p.username}`;
  if (!/^[a-z0-9_.-]{3,20}$/.test(p.username)) reportError(w, "username");
  checkLength(w + " name", p.name, 1, 50);
  checkLength(w + " bio", p.bio, 1, 1000);
  if (p.email !== `${p.username}@example.org`) reportError(w, "email");
  checkOneOf(w, p.role, ["member", "moderator", "admin"]);
  checkOneOf(w, p.trust, ["new", "established"]);
  checkOneOf(w, p.locale, LANGS);
  checkOneOf(w, p.header, HEADERS);
  checkNumber(w, p.joinedAgo);
  checkNumber(w, p.seenAgo);
  if (p.joinedAgo > 400 * 24) reportError(w, "joined more than 400 days ago");
  if (p.seenAgo >= p.joinedAgo) reportError(w, "seen before joining");
  try {
    new Intl.DateTimeFormat("en", { timeZone: p.timeZone });
  } catch {
    reportError(w, "time zone");
  }
  for (const k of ["skin", "hair", "hairStyle", "shirt", "extra"])
    if (!p.look?.[k]) reportError(w, `look.${k} missing`);
  if (p.fields.website && !p.fields.website.startsWith("https://example.org/")) reportError(w, "website");
}
for (const [u, role] of [
  ["mira", "member"],
  ["tomas", "member"],
  ["ines", "moderator"],
  ["ada", "admin"],
])
  if (P[u]?.role !== role) reportError("sign-ins", `${u} must be ${role}`);
