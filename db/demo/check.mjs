// node check.mjs: validates the demo community and prints counts. Exit code 1 if anything is wrong.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const read = (f) => JSON.parse(fs.readFileSync(path.join(here, f), 'utf8'));
const errors = [];
const bad = (where, what) => errors.push(`${where}: ${what}`);
const len = (s) => [...(s ?? '')].length;
const between = (where, s, lo, hi) => { const n = len(s); if (n < lo || n > hi) bad(where, `length ${n}, allowed ${lo}–${hi}`); };
const oneOf = (where, v, list) => { if (!list.includes(v)) bad(where, `${v} is not one of ${list.join('|')}`); };
const unique = (where, list) => { const s = new Set(); for (const x of list) { if (s.has(x)) bad(where, `${x} twice`); s.add(x); } };
const num = (where, v) => { if (typeof v !== 'number' || !Number.isFinite(v) || v <= 0) bad(where, `not a time: ${v}`); };

const HEADERS = ['meadow', 'dusk', 'clay', 'river', 'plum', 'straw', 'moss', 'slate'];
const LANGS = ['en', 'de', 'fr', 'es', 'ar'];

const people = read('people.json');
const groups = read('groups.json');
const resources = read('resources.json');
const collections = read('collections.json');
const conversations = read('conversations.json');
const friendships = read('friendships.json');
const community = read('community.json');
const reading = read('reading.json');
const discussions = {};
for (const f of fs.readdirSync(path.join(here, 'discussions')).sort()) discussions[f.replace('.json', '')] = read('discussions/' + f);

const P = Object.fromEntries(people.map((p) => [p.username, p]));
const person = (where, u) => { if (!P[u]) bad(where, `nobody called ${u}`); return P[u]; };

unique('people', people.map((p) => p.username));
unique('people e-mail', people.map((p) => p.email));
for (const p of people) {
  const w = `people/${p.username}`;
  if (!/^[a-z0-9_.-]{3,20}$/.test(p.username)) bad(w, 'username');
  between(w + ' name', p.name, 1, 50);
  between(w + ' bio', p.bio, 1, 1000);
  if (p.email !== `${p.username}@example.org`) bad(w, 'email');
  oneOf(w, p.role, ['member', 'moderator', 'admin']);
  oneOf(w, p.trust, ['new', 'established']);
  oneOf(w, p.locale, LANGS);
  oneOf(w, p.header, HEADERS);
  num(w, p.joinedAgo); num(w, p.seenAgo);
  if (p.joinedAgo > 400 * 24) bad(w, 'joined more than 400 days ago');
  if (p.seenAgo >= p.joinedAgo) bad(w, 'seen before joining');
  try { new Intl.DateTimeFormat('en', { timeZone: p.timeZone }); } catch { bad(w, 'time zone'); }
  for (const k of ['skin', 'hair', 'hairStyle', 'shirt', 'extra']) if (!p.look?.[k]) bad(w, `look.${k} missing`);
  if (p.fields.website && !p.fields.website.startsWith('https://example.org/')) bad(w, 'website');
}
for (const [u, role] of [['mira', 'member'], ['tomas', 'member'], ['ines', 'moderator'], ['ada', 'admin']])
  if (P[u]?.role !== role) bad('sign-ins', `${u} must be ${role}`);

const G = Object.fromEntries(groups.map((g) => [g.slug, g]));
unique('groups', groups.map((g) => g.slug));
const joined = {};
for (const g of groups) {
  const w = `groups/${g.slug}`;
  between(w + ' name', g.name, 2, 60); between(w + ' purpose', g.purpose, 1, 200); between(w + ' about', g.about, 1, 3000);
  oneOf(w, g.visibility, ['public', 'private', 'secret']); oneOf(w, g.joinPolicy, ['open', 'request', 'invite']);
  oneOf(w, g.historyPolicy, ['shared', 'from_joining']); oneOf(w, g.state, ['active', 'archived']); oneOf(w, g.header, HEADERS);
  if (g.visibility === 'secret' && g.joinPolicy !== 'invite') bad(w, 'secret must be by invitation');
  if (g.questions.length > 3) bad(w, 'more than three questions');
  num(w, g.createdAgo);
  if (person(w, g.owner)?.joinedAgo < g.createdAgo) bad(w, 'owner joined the community after creating the group');
  unique(w + ' members', g.members.map((m) => m.who));
  joined[g.slug] = {};
  for (const m of g.members) {
    joined[g.slug][m.who] = m.ago; num(w, m.ago);
    const p = person(w, m.who);
    if (m.ago > g.createdAgo) bad(w, `${m.who} joined before the group existed`);
    if (p && m.ago > p.joinedAgo) bad(w, `${m.who} joined the group before the community`);
  }
  for (const u of [g.owner, ...g.moderators]) if (!(u in joined[g.slug])) bad(w, `${u} leads but is not a member`);
  for (const r of g.requests) {
    const p = person(w, r.who);
    if (r.who in joined[g.slug]) bad(w, `${r.who} asks but is a member`);
    if (p && r.ago > p.joinedAgo) bad(w, `${r.who} asked before joining the community`);
    if (r.answers.length !== g.questions.length) bad(w, `${r.who}: answers do not match the questions`);
    if (g.joinPolicy !== 'request') bad(w, 'requests in a group that takes none');
  }
}

const D = {}; let posts = 0, lastDay = 0, mentions = 0, reactions = 0, longest = [];
const text = [];
const checkReactions = (w, slug, rs) => {
  for (const [e, who] of Object.entries(rs ?? {})) {
    if (!/\P{ASCII}/u.test(e)) bad(w, `reaction ${e}`);
    unique(w + ' ' + e, who);
    for (const u of who) { reactions++; person(w, u); if (!(u in joined[slug])) bad(w, `${u} reacts but is not a member`); }
  }
};
for (const [slug, list] of Object.entries(discussions)) {
  const g = G[slug]; if (!g) { bad(`discussions/${slug}`, 'no such group'); continue; }
  if (list.filter((d) => d.pinned).length > 3) bad(slug, 'more than three pinned');
  for (const d of list) {
    const w = `discussions/${slug}/${d.key}`;
    if (D[d.key]) bad(w, 'key used twice');
    D[d.key] = { ...d, slug, last: d.posts.length + 1 };
    between(w + ' title', d.title, 5, 200); oneOf(w, d.language, LANGS);
    if (d.tags.length > 5) bad(w, 'more than five tags'); for (const t of d.tags) between(w + ' tag', t, 1, 20);
    if (d.locked !== undefined && typeof d.locked !== 'string') bad(w, 'locked needs a reason');
    if (d.ago > g.createdAgo) bad(w, 'older than its group');
    const all = [{ ...d, n: 1 }, ...d.posts];
    all.forEach((p, i) => {
      const pw = `${w}#${p.n}`;
      posts++; if (p.ago < 24) lastDay++;
      if (p.n !== i + 1) bad(pw, 'number');
      num(pw, p.ago); if (p.ago < 0.1) bad(pw, 'younger than 0.1 h');
      between(pw, p.body, 1, 32000); text.push([pw, p.body]);
      if (i && p.ago >= all[i - 1].ago) bad(pw, `not younger than the post before (${p.ago} ≥ ${all[i - 1].ago})`);
      if (p.replyTo !== undefined && (p.replyTo >= p.n || p.replyTo < 1)) bad(pw, 'replyTo');
      if (p.editedAgo !== undefined && p.editedAgo >= p.ago) bad(pw, 'edited before it was written');
      person(pw, p.author);
      if (!(p.author in joined[slug])) bad(pw, `${p.author} is not a member`);
      else if (joined[slug][p.author] < p.ago) bad(pw, `${p.author} wrote before joining the group`);
      if (i > 2 && [1, 2, 3].every((k) => all[i - k].author === p.author)) bad(pw, 'four in a row by one person');
      checkReactions(pw, slug, p.reactions);
      const ms = (p.body.match(/(?<![\w.@])@[a-z0-9_.-]*[a-z0-9_]/g) ?? []);
      if (ms.length > 10) bad(pw, 'more than ten mentions');
      for (const m of ms) { mentions++; if (!P[m.slice(1)]) bad(pw, `mention ${m}`); else if (!(m.slice(1) in joined[slug])) bad(pw, `mentions ${m}, who is not a member`); }
      for (const u of p.body.match(/https?:\/\/[^\s)]+/g) ?? []) if (!u.startsWith('https://example.org/')) bad(pw, `link ${u}`);
    });
    longest.push([d.posts.length + 1, d.key]);
  }
}

// resources and collections
const C = Object.fromEntries(collections.map((c) => [c.key, c]));
unique('resources', resources.map((r) => r.key)); unique('collections', collections.map((c) => c.key));
for (const c of collections) {
  person(`collections/${c.key}`, c.curator); between(`collections/${c.key}`, c.title, 2, 60);
  if (c.group !== null && !G[c.group]) bad(`collections/${c.key}`, 'group');
  if (!resources.some((r) => r.collection === c.key)) bad(`collections/${c.key}`, 'empty');
}
for (const r of resources) {
  const w = `resources/${r.key}`;
  oneOf(w, r.kind, ['link', 'document', 'file']); between(w + ' why', r.why, 1, 300); between(w + ' title', r.title, 3, 200); oneOf(w, r.language, LANGS);
  for (const t of r.tags) between(w + ' tag', t, 1, 20); if (r.tags.length > 5) bad(w, 'tags');
  if (r.kind === 'link' && !r.url?.startsWith('https://example.org/')) bad(w, 'url');
  if (r.kind === 'document') { between(w + ' body', r.body, 500, 250000); text.push([w, r.body]); const n = r.body.split(/\s+/).length; if (n < 300 || n > 1500) bad(w, `${n} words`); }
  if (r.kind === 'file' && !(r.file?.name && r.file?.text)) bad(w, 'file');
  const p = person(w, r.keeper); num(w, r.ago);
  if (p && r.ago > p.joinedAgo) bad(w, 'kept before joining');
  if (r.group !== null) {
    if (!G[r.group]) bad(w, 'group');
    else if (!(r.keeper in joined[r.group])) bad(w, 'keeper is not a member');
    else if (r.ago > joined[r.group][r.keeper]) bad(w, 'kept before joining the group');
  }
  if (r.collection && !C[r.collection]) bad(w, 'collection');
  for (const u of r.usedIn) { const d = D[u.discussion]; if (!d) bad(w, `discussion ${u.discussion}`); else if (u.post < 1 || u.post > d.last) bad(w, `post ${u.post} of ${u.discussion}`); }
  if (r.collection && C[r.collection]?.group && r.group && r.group !== C[r.collection].group) bad(w, 'on the shelf of another group');
  if (r.collection && C[r.collection] && C[r.collection].group === null && r.group && G[r.group].visibility === 'secret') bad(w, 'secret resource on a shelf for all');
}

let messages = 0;
unique('conversations', conversations.map((c) => c.key));
for (const c of conversations) {
  const w = `conversations/${c.key}`;
  oneOf(w, c.kind, ['direct', 'group']);
  if (c.kind === 'direct' && c.participants.length !== 2) bad(w, 'direct needs two');
  if (c.kind === 'group' && (c.participants.length < 3 || c.participants.length > 30 || !c.name)) bad(w, 'group conversation');
  for (const u of c.participants) { person(w, u); if (!(c.readUpTo[u] >= 0 && c.readUpTo[u] <= c.messages.length)) bad(w, `readUpTo ${u}`); }
  c.messages.forEach((m, i) => {
    messages++; if (!c.participants.includes(m.by)) bad(w, `${m.by} is not in it`);
    between(w, m.body, 1, 10000); num(w, m.ago);
    if (i && m.ago >= c.messages[i - 1].ago) bad(`${w}[${i}]`, 'order');
    for (const u of c.participants) if (m.ago > P[u].joinedAgo) bad(`${w}[${i}]`, `before ${u} joined`);
    if (c.readUpTo[m.by] < i + 1) bad(`${w}[${i}]`, `${m.by} has not read an own message`);
  });
}

unique('friendships', friendships.map((f) => [f.a, f.b].sort().join('+')));
for (const f of friendships) {
  const w = `friendships/${f.a}+${f.b}`;
  oneOf(w, f.state, ['friends', 'pending']); if (![f.a, f.b].includes(f.by)) bad(w, 'by');
  if (f.a === f.b) bad(w, 'oneself'); num(w, f.ago);
  for (const u of [f.a, f.b]) if (person(w, u) && f.ago > P[u].joinedAgo) bad(w, `before ${u} joined`);
}

// reading
let unreadMira = 0;
for (const [u, map] of Object.entries(reading)) for (const [k, n] of Object.entries(map)) {
  const w = `reading/${u}/${k}`; person(w, u);
  if (!D[k]) bad(w, 'no such discussion'); else { if (n < 0 || n > D[k].last) bad(w, `post ${n} of ${D[k].last}`); if (!(u in joined[D[k].slug])) bad(w, 'not a member'); 
    const own = Math.max(0, ...[{ ...D[k], n: 1 }, ...D[k].posts].filter((p) => p.author === u).map((p) => p.n)); if (own > n) bad(w, `has written #${own} but read only to #${n}`); }
}
for (const [k, d] of Object.entries(D)) if ('mira' in joined[d.slug] && (reading.mira[k] ?? 0) < d.last) unreadMira++;
for (const k of Object.keys(reading)) for (const [key, d] of Object.entries(D)) if (!(key in reading[k]) && [d, ...d.posts].some((p) => p.author === k)) bad(`reading/${k}`, `wrote in ${key} but never read it`);

for (const k of ['name', 'sentence', 'welcome', 'about', 'privacy']) if (!community[k]) bad('community', k);
if (!(community.rules?.length >= 3)) bad('community', 'rules');
unique('texts', text.filter(([, b]) => b.length > 40).map(([, b]) => b));

// pictures
const { drawAvatar, drawHeader } = await import('./avatars.mjs');
for (const p of people) {
  const a = drawAvatar(p.look, p.username);
  if (a !== drawAvatar(p.look, p.username)) bad(p.username, 'picture is not deterministic');
  if (!a.startsWith('<svg') || /<script|<text|href=|NaN|undefined/.test(a)) bad(p.username, 'picture');
}
for (const h of HEADERS) if (!drawHeader(h).startsWith('<svg') || /NaN|undefined|href=/.test(drawHeader(h))) bad(h, 'header');

const kinds = (k) => resources.filter((r) => r.kind === k).length;
longest.sort((a, b) => b[0] - a[0]);
const counts = {
  people: [people.length, 34], groups: [groups.length, 10], discussions: [Object.keys(D).length, 44], posts: [posts, 340],
  'posts in the last day': [lastDay, 12], reactions: [reactions, 100], resources: [resources.length, 28], documents: [kinds('document'), 5],
  links: [kinds('link'), 1], files: [kinds('file'), 1], collections: [collections.length, 3],
  'direct conversations': [conversations.filter((c) => c.kind === 'direct').length, 6], 'group conversations': [conversations.filter((c) => c.kind === 'group').length, 3],
  messages: [messages, 70], friends: [friendships.filter((f) => f.state === 'friends').length, 60], 'pending requests': [friendships.filter((f) => f.state === 'pending').length, 8],
  'waiting for mira': [friendships.filter((f) => f.state === 'pending' && f.by !== 'mira' && [f.a, f.b].includes('mira')).length, 2],
  'unread discussions for mira': [unreadMira, 5], 'unread conversations for mira': [conversations.filter((c) => c.participants.includes('mira') && c.readUpTo.mira < c.messages.length).length, 2],
  'groups owned by tomas': [groups.filter((g) => g.owner === 'tomas').length, 2], 'archived groups': [groups.filter((g) => g.state === 'archived').length, 1],
  'discussions of 40 posts or more': [longest.filter(([n]) => n >= 40).length, 1], 'discussions of 25 posts or more': [longest.filter(([n]) => n >= 25).length, 2],
  'discussions not in English': [Object.values(D).filter((d) => d.language !== 'en').length, 4], mentions: [mentions, 1],
  'pinned': [Object.values(D).filter((d) => d.pinned).length, 1], 'locked': [Object.values(D).filter((d) => d.locked).length, 1], 'resolved': [Object.values(D).filter((d) => d.resolved).length, 1],
};
for (const [k, [n, min]] of Object.entries(counts)) { console.log(`${String(n).padStart(5)}  ${k}`); if (n < min) bad('counts', `${k}: ${n}, wanted ${min}`); }
console.log('       longest: ' + longest.slice(0, 4).map(([n, k]) => `${k} (${n})`).join(', '));
console.log('       kinds of group: ' + [...new Set(groups.map((g) => `${g.visibility}/${g.joinPolicy}`))].join(', '));
if (errors.length) { console.error(`\n${errors.length} problems`); for (const e of errors) console.error('  ' + e); process.exit(1); }
console.log('all right');
