import { lazyComponent } from "../../client/lazy-component.ts";

const load = () => import("./post-forms.ts");
/**
 * Forms of posts that few readers see. The server renders them, for browsers without scripts; the browser fetches
 * them when one is open.
 */
const forms = import.meta.env.SSR ? await load() : null;

export const BookmarkForm =
  forms?.BookmarkForm ?? lazyComponent(async () => ({ default: (await load()).BookmarkForm }));
export const EditPost = forms?.EditPost ?? lazyComponent(async () => ({ default: (await load()).EditPost }));
export const HiddenNotice =
  forms?.HiddenNotice ?? lazyComponent(async () => ({ default: (await load()).HiddenNotice }));
export const RemoveOrRestorePost =
  forms?.RemoveOrRestorePost ?? lazyComponent(async () => ({ default: (await load()).RemoveOrRestorePost }));
