import { LiveAnnouncer } from "../../live/live-announcer.tsx";
import { Link } from "../../ui/navigation/link.tsx";

/**
 * New posts that are not shown yet (`count`, and the number of the `first`), and how many were appended
 * since the page was loaded (`arrived`).
 */
export type UnreadPosts = { count: number; first: number; arrived: number };

/**
 * Floating link to new posts. New posts are not inserted automatically, so that the text does not move while
 * being read. Screen readers also announce appended posts.
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
