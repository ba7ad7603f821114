import { nextFrame, pressTowards } from "./press-towards.ts";

const LIKE = " 👍";

/** What single keys do to a post: the one that has the focus, else the first in view. */
export const POST_DEEDS: Record<string, () => void | Promise<void>> = {
  r: reply,
  l: () => withPost(like),
  e: () => withPost((post) => towards(post, "edit", 'form[data-composer="edit"] textarea')),
  b: () => withPost((post) => towards(post, "keep", "input[name=note]")),
  u: () => withPost(async (post) => (await inMenu(post, "more", "form:has([name=intent][value=unread]) button"))?.click()),
};

/** It takes the focus, so that one sees which one it is. */
function withPost(deed: (post: HTMLElement) => Promise<void>): void | Promise<void> {
  const posts = [...document.querySelectorAll<HTMLElement>("main article[data-item]")];
  const focused = posts.find((post) => post.contains(document.activeElement));
  const post = focused ?? posts.find(beginsInView) ?? posts.find((it) => it.getBoundingClientRect().bottom > 0);
  if (!post) return;
  if (!focused) post.focus({ preventScroll: true });
  return deed(post);
}

function beginsInView(post: HTMLElement) {
  const { top } = post.getBoundingClientRect();
  return top >= 0 && top < innerHeight;
}

/** An answer to the post that has the focus, else to nobody in particular. The field is there before the answer's sign is. */
function reply() {
  document.activeElement?.closest("article[data-item]")?.querySelector<HTMLElement>("[data-reply]")?.click();
  intoField();
}

/** Into the field that is there to say something new, if there is one. What stands before it may be a post that is being changed. */
export function intoField(): boolean {
  const field = document.querySelector<HTMLElement>("#reply textarea") ?? document.querySelector<HTMLElement>("[data-composer] textarea");
  field?.focus();
  return field !== null;
}

async function like(post: HTMLElement) {
  const wanted = `button[value$="${LIKE}"]`;
  (post.querySelector<HTMLElement>(`${wanted}.pill`) ?? (await inMenu(post, "react", wanted)))?.click();
}

/** To a form that the post's menu leads to, for whom it does; to the one that stands there already. */
async function towards(post: HTMLElement, what: "edit" | "keep", field: string) {
  const open = post.querySelector<HTMLElement>(field);
  if (open) return open.focus();
  const link = await inMenu(post, "more", `a[href*="${what}="]`);
  if (link) await pressTowards(link, `#${post.id} ${field}`);
}

/** Opens a menu of the post, which is made only when it is wanted. What is not in it closes it again before it is seen. */
async function inMenu(post: HTMLElement, menu: "more" | "react", wanted: string): Promise<HTMLElement | null> {
  const button = post.querySelector<HTMLElement>(`.menu > a[href*="${menu}="]`);
  if (!button) return null;
  if (button.ariaExpanded !== "true") button.click();
  await nextFrame();
  const found = post.querySelector<HTMLElement>(`.menu-list ${wanted}`);
  if (!found) button.click();
  return found;
}
