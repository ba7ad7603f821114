import { Form } from "react-router";
import type { PollView, PostView } from "#community/discussions";
import { SubmitButton, Time } from "../../ui/index.ts";
import { numberFormat } from "../../ui/text/intl-formats.ts";
import { Rich, useLocale, useTranslate } from "../../i18n/index.ts";

type PollProps = { post: PostView; poll: PollView; canVote: boolean };

/** A post's poll: a form for people who may vote, and the results for those who may see them. */
export function Poll({ post, poll, canVote }: PollProps) {
  const t = useTranslate();
  const mine = poll.options.filter((option) => option.mine).map((option) => option.position);
  const name = t("Poll in post {number}", { number: post.number });
  if (!canVote || poll.closed)
    return (
      <section aria-label={name} className="poll panel">
        <ul>
          {poll.options.map((option) => (
            <li key={option.position}>
              <PollOption option={option} voters={poll.voters} marked={option.mine} />
            </li>
          ))}
        </ul>
        <PollStatus poll={poll} />
      </section>
    );
  return (
    <Form key={mine.join()} method="post" preventScrollReset aria-label={name} className="poll panel">
      <input type="hidden" name="intent" value="vote" />
      <input type="hidden" name="postId" value={post.id} />
      <fieldset>
        <legend className="hint">
          {poll.several ? t("Choose any number of options") : t("Choose one option")}
        </legend>
        {poll.options.map((option) => (
          <label key={option.position} className="check">
            <input
              type={poll.several ? "checkbox" : "radio"}
              name="options[]"
              value={option.position}
              defaultChecked={option.mine}
              required={!poll.several}
            />
            <PollOption option={option} voters={poll.voters} />
          </label>
        ))}
      </fieldset>
      <PollStatus poll={poll} />
      <SubmitButton busy={t("Voting…")}>{mine.length > 0 ? t("Change vote") : t("Vote")}</SubmitButton>
    </Form>
  );
}

function PollOption({
  option,
  voters,
  marked = false,
}: {
  option: PollView["options"][number];
  voters: number | null;
  marked?: boolean;
}) {
  const t = useTranslate();
  const percent = numberFormat(useLocale(), { style: "percent" });
  const { text, votes } = option;
  const share = votes && voters ? votes / voters : 0;
  return (
    <span className="poll-option">
      <bdi>{text}</bdi>
      {marked && (
        <span className="text-accent">
          <i className="icon icon-check size-4 align-text-bottom" /> {t("Your choice")}
        </span>
      )}
      {votes !== null && (
        <>
          <span className="figures text-small text-quiet">
            {t("{votes, plural, one {# vote} other {# votes}}, {share}", {
              votes,
              share: percent.format(share),
            })}
          </span>
          <progress className="bar" aria-hidden value={share} />
        </>
      )}
    </span>
  );
}

/** The number of voters, when the poll closes, and why results are hidden. */
function PollStatus({ poll }: { poll: PollView }) {
  const t = useTranslate();
  const { voters, closesAt, closed, results } = poll;
  return (
    <p className="hint">
      {voters !== null
        ? t("{voters, plural, =0 {No votes yet.} one {# person has voted.} other {# people have voted.}}", {
            voters,
          })
        : results === "voted"
          ? t("Results are shown after you vote.")
          : t("Results are shown when the poll is closed.")}{" "}
      {closesAt && !closed && <Rich text="Closes <0></0>." parts={{ 0: <Time at={closesAt} /> }} />}
      {closesAt && closed && <Rich text="Closed <0></0>." parts={{ 0: <Time at={closesAt} /> }} />}
    </p>
  );
}
