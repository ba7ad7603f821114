import { renderToStaticMarkup } from "react-dom/server";
import { urls } from "../urls.ts";

type ToastProps = {
  text: string;
  undo: { command: string; fields: Record<string, string | string[]>; label: string } | undefined;
  close: string;
  /** Address to return to after an undo. */
  back: string;
};

/**
 * Renders the toast of a notice as HTML, which the browser shows as it is (`client/notice-toasts.ts`): pages
 * need no script for it.
 */
export const renderNoticeToast = (props: ToastProps): string =>
  renderToStaticMarkup(<NoticeToast {...props} />);

const NoticeToast = ({ text, undo, close, back }: ToastProps) => (
  <div className="toast">
    <p>{text}</p>
    {undo && (
      <form method="post" action={urls.notifications()}>
        <input type="hidden" name="intent" value="undo" />
        <input type="hidden" name="command" value={undo.command} />
        <input type="hidden" name="back" value={back} />
        {Object.entries(undo.fields).flatMap(([name, values]) =>
          [values]
            .flat()
            .map((value) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />),
        )}
        <button type="submit" className="button">
          {undo.label}
        </button>
      </form>
    )}
    <button type="button" className="button" data-kind="quiet" data-close aria-label={close}>
      <i className="icon icon-x" />
    </button>
  </div>
);
