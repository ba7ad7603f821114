// node check.mjs: validates the demo community and prints counts. Exit code 1 if anything is wrong.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const read = (f) => JSON.parse(fs.readFileSync(path.join(here, f), "utf8"));
const errors = [];
const reportError = (where, what) => errors.push(`${where}: ${what}`);
const len = (s) => [...(s ?? "")].length;
const checkLength = (where, s, lo, hi) => {
  const n = len(s);
  if (n < lo || n > hi) reportError(where, `length ${n}, allowed ${lo}–${hi}`);
};
const checkOneOf = (where, v, list) => {
  if (!list.includes(v)) reportError(where, `${v} is not one of ${list.join("|")}`);
};
const checkUnique = (where, list) => {
  const s = new Set();
  for (const x of list) {
    if (s.has(x)) reportError(where, `${x} twice`);
    s.add(x);
  }
};
const checkNumber = (where, v) => {
  if (typeof v !== "number" || !Number.isFinite(v) || v <= 0) reportError(where, `not a time: ${v}`);
};

const HEADERS = ["meadow", "dusk", "clay", "river", "plum", "straw", "moss", "slate"];
const LANGS = ["en", "de", "fr", "es", "ar"];

const people = read("people.json");
const groups = read("groups.json");
const resources = read("resources.json");
const collections = read("collections.json");
const conversations = read("conversations.json");
const friendships = read("friendships.json");
const community = read("community.json");
const reading = read("reading.json");
const discussions = {};
for (const f of fs.readdirSync(path.join(here, "discussions")).sort())
  discussions[f.replace(".json", "")] = read("discussions/" + f);

const P = Object.fromEntries(people.map((p) => [p.username, p]));
const checkPerson = (where, u) => {
  if (!P[u]) reportError(where, `nobody called ${u}`);
  return P[u];
};

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

const G = Object.fromEntries(groups.map((g) => [g.slug, g]));
checkUnique(
  "groups",
  groups.map((g) => g.slug),
);
const joined = {};
for (const g of groups) {
  const w = `groups/${g.slug}`;
  checkLength(w + " name", g.name, 2, 60);
  checkLength(w + " purpose", g.purpose, 1, 200);
  checkLength(w + " about", g.about, 1, 3000);
  checkOneOf(w, g.visibility, ["public", "private", "secret"]);
  checkOneOf(w, g.joinPolicy, ["open", "request", "invite"]);
  checkOneOf(w, g.historyPolicy, ["shared", "from_joining"]);
  checkOneOf(w, g.state, ["active", "archived"]);
  checkOneOf(w, g.header, HEADERS);
  if (g.visibility === "secret" && g.joinPolicy !== "invite") reportError(w, "secret must be by invitation");
  if (g.questions.length > 3) reportError(w, "more than three questions");
  checkNumber(w, g.createdAgo);
  if (checkPerson(w, g.owner)?.joinedAgo < g.createdAgo)
    reportError(w, "owner joined the community after creating the group");
  checkUnique(
    w + " members",
    g.members.map((m) => m.who),
  );
  joined[g.slug] = {};
  for (const m of g.members) {
    joined[g.slug][m.who] = m.ago;
    checkNumber(w, m.ago);
    const p = checkPerson(w, m.who);
    if (m.ago > g.createdAgo) reportError(w, `${m.who} joined before the group existed`);
    if (p && m.ago > p.joinedAgo) reportError(w, `${m.who} joined the group before the community`);
  }
  for (const u of [g.owner, ...g.moderators])
    if (!(u in joined[g.slug])) reportError(w, `${u} leads but is not a member`);
  for (const r of g.requests) {
    const p = checkPerson(w, r.who);
    if (r.who in joined[g.slug]) reportError(w, `${r.who} asks but is a member`);
    if (p && r.ago > p.joinedAgo) reportError(w, `${r.who} asked before joining the community`);
    if (r.answers.length !== g.questions.length)
      reportError(w, `${r.who}: answers do not match the questions`);
    if (g.joinPolicy !== "request") reportError(w, "requests in a group that takes none");
  }
}

const D = {};
let posts = 0,
  lastDay = 0,
  mentions = 0,
  reactions = 0,
  longest = [];
const text = [];
const checkReactions = (w, slug, rs) => {
  for (const [e, who] of Object.entries(rs ?? {})) {
    if (!/\P{ASCII}/u.test(e)) reportError(w, `reaction ${e}`);
    checkUnique(w + " " + e, who);
    for (const u of who) {
      reactions++;
      checkPerson(w, u);
      if (!(u in joined[slug])) reportError(w, `${u} reacts but is not a member`);
    }
  }
};
for (const [slug, list] of Object.entries(discussions)) {
  const g = G[slug];
  if (!g) {
    reportError(`discussions/${slug}`, "no such group");
    continue;
  }
  if (list.filter((d) => d.pinned).length > 3) reportError(slug, "more than three pinned");
  for (const d of list) {
    const w = `discussions/${slug}/${d.key}`;
    if (D[d.key]) reportError(w, "key used twice");
    D[d.key] = { ...d, slug, last: d.posts.length + 1 };
    checkLength(w + " title", d.title, 5, 200);
    checkOneOf(w, d.language, LANGS);
    if (d.tags.length > 5) reportError(w, "more than five tags");
    for (const t of d.tags) checkLength(w + " tag", t, 1, 20);
    if (d.locked !== undefined && typeof d.locked !== "string") reportError(w, "locked needs a reason");
    if (d.ago > g.createdAgo) reportError(w, "older than its group");
    const all = [{ ...d, n: 1 }, ...d.posts];
    all.forEach((p, i) => {
      const pw = `${w}#${p.n}`;
      posts++;
      if (p.ago < 24) lastDay++;
      if (p.n !== i + 1) reportError(pw, "number");
      checkNumber(pw, p.ago);
      if (p.ago < 0.1) reportError(pw, "younger than 0.1 h");
      checkLength(pw, p.body, 1, 32000);
      text.push([pw, p.body]);
      if (i && p.ago >= all[i - 1].ago)
        reportError(pw, `not younger than the post before (${p.ago} ≥ ${all[i - 1].ago})`);
      if (p.replyTo !== undefined && (p.replyTo >= p.n || p.replyTo < 1)) reportError(pw, "replyTo");
      if (p.editedAgo !== undefined && p.editedAgo >= p.ago) reportError(pw, "edited before it was written");
      checkPerson(pw, p.author);
      if (!(p.author in joined[slug])) reportError(pw, `${p.author} is not a member`);
      else if (joined[slug][p.author] < p.ago) reportError(pw, `${p.author} wrote before joining the group`);
      if (i > 2 && [1, 2, 3].every((k) => all[i - k].author === p.author))
        reportError(pw, "four in a row by one person");
      checkReactions(pw, slug, p.reactions);
      const ms = p.body.match(/(?<![\w.@])@[a-z0-9_.-]*[a-z0-9_]/g) ?? [];
      if (ms.length > 10) reportError(pw, "more than ten mentions");
      for (const m of ms) {
        mentions++;
        if (!P[m.slice(1)]) reportError(pw, `mention ${m}`);
        else if (!(m.slice(1) in joined[slug])) reportError(pw, `mentions ${m}, who is not a member`);
      }
      for (const u of p.body.match(/https?:\/\/[^\s)]+/g) ?? [])
        if (!u.startsWith("https://example.org/")) reportError(pw, `link ${u}`);
    });
    longest.push([d.posts.length + 1, d.key]);
  }
}

// resources and collections
const C = Object.fromEntries(collections.map((c) => [c.key, c]));
checkUnique(
  "resources",
  resources.map((r) => r.key),
);
checkUnique(
  "collections",
  collections.map((c) => c.key),
);
for (const c of collections) {
  checkPerson(`collections/${c.key}`, c.curator);
  checkLength(`collections/${c.key}`, c.title, 2, 60);
  if (c.group !== null && !G[c.group]) reportError(`collections/${c.key}`, "group");
  if (!resources.some((r) => r.collection === c.key)) reportError(`collections/${c.key}`, "empty");
}
for (const r of resources) {
  const w = `resources/${r.key}`;
  checkOneOf(w, r.kind, ["link", "document", "file"]);
  checkLength(w + " why", r.why, 1, 300);
  checkLength(w + " title", r.title, 3, 200);
  checkOneOf(w, r.language, LANGS);
  for (const t of r.tags) checkLength(w + " tag", t, 1, 20);
  if (r.tags.length > 5) reportError(w, "tags");
  if (r.kind === "link" && !r.url?.startsWith("https://example.org/")) reportError(w, "url");
  if (r.kind === "document") {
    checkLength(w + " body", r.body, 500, 250000);
    text.push([w, r.body]);
    const n = r.body.split(/\s+/).length;
    if (n < 300 || n > 1500) reportError(w, `${n} words`);
  }
  if (r.kind === "file" && !(r.file?.name && r.file?.text)) reportError(w, "file");
  const p = checkPerson(w, r.keeper);
  checkNumber(w, r.ago);
  if (p && r.ago > p.joinedAgo) reportError(w, "kept before joining");
  if (r.group !== null) {
    if (!G[r.group]) reportError(w, "group");
    else if (!(r.keeper in joined[r.group])) reportError(w, "keeper is not a member");
    else if (r.ago > joined[r.group][r.keeper]) reportError(w, "kept before joining the group");
  }
  if (r.collection && !C[r.collection]) reportError(w, "collection");
  for (const u of r.usedIn) {
    const d = D[u.discussion];
    if (!d) reportError(w, `discussion ${u.discussion}`);
    else if (u.post < 1 || u.post > d.last) reportError(w, `post ${u.post} of ${u.discussion}`);
  }
  if (r.collection && C[r.collection]?.group && r.group && r.group !== C[r.collection].group)
    reportError(w, "on the shelf of another group");
  if (
    r.collection &&
    C[r.collection] &&
    C[r.collection].group === null &&
    r.group &&
    G[r.group].visibility === "secret"
  )
    reportError(w, "secret resource on a shelf for all");
}

let messages = 0;
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

// reading
let unreadMira = 0;
for (const [u, map] of Object.entries(reading))
  for (const [k, n] of Object.entries(map)) {
    const w = `reading/${u}/${k}`;
    checkPerson(w, u);
    if (!D[k]) reportError(w, "no such discussion");
    else {
      if (n < 0 || n > D[k].last) reportError(w, `post ${n} of ${D[k].last}`);
      if (!(u in joined[D[k].slug])) reportError(w, "not a member");
      const own = Math.max(
        0,
        ...[{ ...D[k], n: 1 }, ...D[k].posts].filter((p) => p.author === u).map((p) => p.n),
      );
      if (own > n) reportError(w, `has written #${own} but read only to #${n}`);
    }
  }
for (const [k, d] of Object.entries(D))
  if ("mira" in joined[d.slug] && (reading.mira[k] ?? 0) < d.last) unreadMira++;
for (const k of Object.keys(reading))
  for (const [key, d] of Object.entries(D))
    if (!(key in reading[k]) && [d, ...d.posts].some((p) => p.author === k))
      reportError(`reading/${k}`, `wrote in ${key} but never read it`);

for (const k of ["name", "sentence", "welcome", "about", "privacy"])
  if (!community[k]) reportError("community", k);
if (!(community.rules?.length >= 3)) reportError("community", "rules");
checkUnique(
  "texts",
  text.filter(([, b]) => b.length > 40).map(([, b]) => b),
);

// pictures
const { drawAvatar, drawHeader } = await import("./avatars.mjs");
for (const p of people) {
  const a = drawAvatar(p.look, p.username);
  if (a !== drawAvatar(p.look, p.username)) reportError(p.username, "picture is not deterministic");
  if (!a.startsWith("<svg") || /<script|<text|href=|NaN|undefined/.test(a))
    reportError(p.username, "picture");
}
for (const h of HEADERS)
  if (!drawHeader(h).startsWith("<svg") || /NaN|undefined|href=/.test(drawHeader(h)))
    reportError(h, "header");

const kinds = (k) => resources.filter((r) => r.kind === k).length;
longest.sort((a, b) => b[0] - a[0]);
const counts = {
  people: [people.length, 34],
  groups: [groups.length, 10],
  discussions: [Object.keys(D).length, 44],
  posts: [posts, 340],
  "posts in the last day": [lastDay, 12],
  reactions: [reactions, 100],
  resources: [resources.length, 28],
  documents: [kinds("document"), 5],
  links: [kinds("link"), 1],
  files: [kinds("file"), 1],
  collections: [collections.length, 3],
  "direct conversations": [conversations.filter((c) => c.kind === "direct").length, 6],
  "group conversations": [conversations.filter((c) => c.kind === "group").length, 3],
  messages: [messages, 70],
  friends: [friendships.filter((f) => f.state === "friends").length, 60],
  "pending requests": [friendships.filter((f) => f.state === "pending").length, 8],
  "waiting for mira": [
    friendships.filter((f) => f.state === "pending" && f.by !== "mira" && [f.a, f.b].includes("mira")).length,
    2,
  ],
  "unread discussions for mira": [unreadMira, 5],
  "unread conversations for mira": [
    conversations.filter((c) => c.participants.includes("mira") && c.readUpTo.mira < c.messages.length)
      .length,
    2,
  ],
  "groups owned by tomas": [groups.filter((g) => g.owner === "tomas").length, 2],
  "archived groups": [groups.filter((g) => g.state === "archived").length, 1],
  "discussions of 40 posts or more": [longest.filter(([n]) => n >= 40).length, 1],
  "discussions of 25 posts or more": [longest.filter(([n]) => n >= 25).length, 2],
  "discussions not in English": [Object.values(D).filter((d) => d.language !== "en").length, 4],
  mentions: [mentions, 1],
  pinned: [Object.values(D).filter((d) => d.pinned).length, 1],
  locked: [Object.values(D).filter((d) => d.locked).length, 1],
  resolved: [Object.values(D).filter((d) => d.resolved).length, 1],
};
for (const [k, [n, min]] of Object.entries(counts)) {
  console.log(`${String(n).padStart(5)}  ${k}`);
  if (n < min) reportError("counts", `${k}: ${n}, wanted ${min}`);
}
console.log(
  "       longest: " +
    longest
      .slice(0, 4)
      .map(([n, k]) => `${k} (${n})`)
      .join(", "),
);
console.log(
  "       kinds of group: " + [...new Set(groups.map((g) => `${g.visibility}/${g.joinPolicy}`))].join(", "),
);
if (errors.length) {
  console.error(`\n${errors.length} problems`);
  for (const e of errors) console.error("  " + e);
  process.exit(1);
}
console.log("all right");
