import { nextFrame, clickAndFocus } from "./click-and-focus.ts";

const LIKE_EMOJI = " 👍";

/** Actions of single keys on a post: on the focused post, or else on the first post in view. */
export const POST_ACTIONS: Record<string, () => void | Promise<void>> = {
  r: startReply,
  l: () => withCurrentPost(likePost),
  e: () => withCurrentPost((post) => openPostForm(post, "edit", 'form[data-composer="edit"] textarea')),
  b: () => withCurrentPost((post) => openPostForm(post, "keep", "input[name=note]")),
  u: () =>
    withCurrentPost(async (post) =>
      (await findInMenu(post, "more", "form:has([name=intent][value=unread]) button"))?.click(),
    ),
};

/**
 * Runs an action on the focused post, else on the first post in view, which gets the focus so that people
 * see which post it is.
 */
function withCurrentPost(action: (post: HTMLElement) => Promise<void>): void | Promise<void> {
  const posts = [...document.querySelectorAll<HTMLElement>("main article[data-item]")];
  const focused = posts.find((post) => post.contains(document.activeElement));
  const post =
    focused ?? posts.find(beginsInView) ?? posts.find((it) => it.getBoundingClientRect().bottom > 0);
  if (!post) return;
  if (!focused) post.focus({ preventScroll: true });
  return action(post);
}

function beginsInView(post: HTMLElement) {
  const { top } = post.getBoundingClientRect();
  return top >= 0 && top < innerHeight;
}

/**
 * Replies to the focused post, or to the discussion if no post is focused. The field can be focused before
 * the page shows which post is replied to.
 */
function startReply() {
  document.activeElement?.closest("article[data-item]")?.querySelector<HTMLElement>("[data-reply]")?.click();
  focusReplyField();
}

/**
 * Focuses the field for a new text. The selectors skip earlier fields, which may belong to a post being
 * edited. Returns false if there is no such field.
 */
export function focusReplyField(): boolean {
  const field =
    document.querySelector<HTMLElement>("#reply textarea") ??
    document.querySelector<HTMLElement>("[data-composer] textarea");
  field?.focus();
  return field !== null;
}

async function likePost(post: HTMLElement) {
  const wanted = `button[value$="${LIKE_EMOJI}"]`;
  (post.querySelector<HTMLElement>(`${wanted}.pill`) ?? (await findInMenu(post, "react", wanted)))?.click();
}

/**
 * Opens a form from the post's menu, if the viewer's menu has that item; focuses the form if it is open
 * already.
 */
async function openPostForm(post: HTMLElement, what: "edit" | "keep", field: string) {
  const open = post.querySelector<HTMLElement>(field);
  if (open) return open.focus();
  const link = await findInMenu(post, "more", `a[href*="${what}="]`);
  if (link) await clickAndFocus(link, `#${post.id} ${field}`);
}

/**
 * Opens a menu of the post, which is rendered on demand, and returns one of its items. A menu without that
 * item is closed before it is painted.
 */
async function findInMenu(
  post: HTMLElement,
  menu: "more" | "react",
  wanted: string,
): Promise<HTMLElement | null> {
  const button = post.querySelector<HTMLElement>(`.menu > a[href*="${menu}="]`);
  if (!button) return null;
  if (button.ariaExpanded !== "true") button.click();
  await nextFrame();
  const found = post.querySelector<HTMLElement>(`.menu-list ${wanted}`);
  if (!found) button.click();
  return found;
}
