import { conversations, friendships, P, checkPerson } from "./demo-files.mjs";
import { reportError, checkLength, checkOneOf, checkUnique, checkNumber } from "./report.mjs";

export let messages = 0;
checkUnique(
  "conversations",
  conversations.map((c) => c.key),
);
for (const c of conversations) {
  const w = `conversations/${c.key}`;
  checkOneOf(w, c.kind, ["direct", "group"]);
  if (c.kind === "direct" && c.participants.length !== 2) reportError(w, "direct needs two");
  if (c.kind === "group" && (c.participants.length < 3 || c.participants.length > 30 || !c.name))
    reportError(w, "group conversation");
  for (const u of c.participants) {
    checkPerson(w, u);
    if (!(c.readUpTo[u] >= 0 && c.readUpTo[u] <= c.messages.length)) reportError(w, `readUpTo ${u}`);
  }
  c.messages.forEach((m, i) => {
    messages++;
    if (!c.participants.includes(m.by)) reportError(w, `${m.by} is not in it`);
    checkLength(w, m.body, 1, 10000);
    checkNumber(w, m.ago);
    if (i && m.ago >= c.messages[i - 1].ago) reportError(`${w}[${i}]`, "order");
    for (const u of c.participants)
      if (m.ago > P[u].joinedAgo) reportError(`${w}[${i}]`, `before ${u} joined`);
    if (c.readUpTo[m.by] < i + 1) reportError(`${w}[${i}]`, `${m.by} has not read an own message`);
  });
}

checkUnique(
  "friendships",
  friendships.map((f) => [f.a, f.b].sort().join("+")),
);
for (const f of friendships) {
  const w = `friendships/${f.a}+${f.b}`;
  checkOneOf(w, f.state, ["friends", "pending"]);
  if (![f.a, f.b].includes(f.by)) reportError(w, "by");
  if (f.a === f.b) reportError(w, "oneself");
  checkNumber(w, f.ago);
  for (const u of [f.a, f.b])
    if (checkPerson(w, u) && f.ago > P[u].joinedAgo) reportError(w, `before ${u} joined`);
}
