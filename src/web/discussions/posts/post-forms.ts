export { BookmarkForm } from "./bookmark-form.tsx";
export { EditPost } from "./edit-post.tsx";
export { HiddenNotice } from "./hidden-notice.tsx";
export { RemoveOrRestorePost } from "./remove-post.tsx";
