import { reading, checkPerson } from "./demo-files.mjs";
import { joined } from "./groups.mjs";
import { D } from "./discussions.mjs";
import { reportError } from "./report.mjs";

export let unreadMira = 0;
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
