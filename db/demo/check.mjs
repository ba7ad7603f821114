// node check.mjs: validates the demo community and prints counts. Exit code 1 if anything is wrong.
import { drawAvatar } from "./avatars.mjs";
import "./checks/people.mjs";
import "./checks/resources.mjs";
import "./checks/events.mjs";
import "./checks/moderation.mjs";
import { drawHeader } from "./landscapes.mjs";
import {
  HEADERS,
  people,
  groups,
  resources,
  collections,
  conversations,
  friendships,
  community,
} from "./checks/demo-files.mjs";
import { D, posts, lastDay, mentions, reactions, longest, text } from "./checks/discussions.mjs";
import { errors, reportError, checkUnique } from "./checks/report.mjs";
import { messages } from "./checks/conversations.mjs";
import { unreadMira } from "./checks/reading.mjs";

for (const k of ["name", "sentence", "welcome", "about", "privacy"])
  if (!community[k]) reportError("community", k);
if (!(community.rules?.length >= 3)) reportError("community", "rules");
if (!(community.citedRules?.length >= 3)) reportError("community", "citedRules");
checkUnique(
  "texts",
  text.filter(([, b]) => b.length > 40).map(([, b]) => b),
);

// pictures
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
