import { LiveAnnouncer } from "../../live/live-announcer.tsx";
import { Link } from "../../ui/navigation/link.tsx";

/**
 * New posts that are not shown yet: how many, and the first of them; and how many were appended since the
 * page was loaded.
 */
export type UnreadPosts = { count: number; first: number; arrived: number };

/**
 * Floating link to new posts, so that nothing moves while reading. Screen readers also hear of posts that
 * were appended.
 */
export function NewRepliesLink({ to, waiting, words }: { to: string; waiting: UnreadPosts; words: string }) {
  return (
    <div className="live-pill">
      {waiting.count > 0 && (
        <Link to={to}>
          <i className="icon icon-arrow-down size-4" />
          {words}
        </Link>
      )}
      <LiveAnnouncer words={waiting.count || waiting.arrived ? words : ""} />
    </div>
  );
}
