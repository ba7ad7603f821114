/** Marker words of the group: a viewer who receives one of them has read content of the group. */
export const GROUP_NAME = "Zauberberg";
export const INSIDE_WORD = "Quittenmus";
/** A tag shared by content inside the group and public content. */
export const SHARED_TAG = "preserves";
export const REPORTED_WORD = "Hornissennest";
/** Former name of the group. */
export const FORMER_NAME = "The old beds";
/** Word in a deleted discussion: visible to people who can restore it. */
export const DELETED_WORD = "Schlehenfeuer";
/** Word in a pending post of a new account. */
export const PENDING_WORD = "Berberitze";
/** Word in a pending profile text of that account. */
export const PROFILE_WORD = "Mispelmark";
/** Word in an internal note on the author of the discussion. */
export const NOTE_WORD = "Randnotiz";
export const PRIVATE_WORD = "Flaschenpost";
