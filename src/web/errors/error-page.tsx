import { useEffect } from "react";
import { Form, useLocation } from "react-router";
import { isUnreachable } from "../client/network-state.ts";
import { DESIGN_TOKENS } from "../tokens.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { getErrorData } from "./error-page-data.ts";

/** Checks repeatedly whether the page is available again, then reloads it. */
function useReloadWhenAvailable(wanted: boolean) {
  useEffect(() => {
    if (!wanted) return;
    const look = () =>
      void fetch(location.href, { method: "HEAD", cache: "no-store" }).then(() => location.reload(), noop);
    const timer = setInterval(look, DESIGN_TOKENS.lineGrace);
    addEventListener("online", look);
    return () => {
      clearInterval(timer);
      removeEventListener("online", look);
    };
  }, [wanted]);
}
const noop = () => {};

function ErrorMessage({ error }: { error: unknown }) {
  const t = useTranslate();
  const facts = getErrorData(error, t);
  useReloadWhenAvailable(isUnreachable(error));
  const { pathname, search } = useLocation();
  // In "Page Not Found: /x", the path is a separate element, because its text direction may differ from that
  // of the message.
  const [message, path] = facts.message.split(/: (?=\/)/);
  return (
    <>
      <p className="font-semibold text-quiet figures">{facts.status}</p>
      <h1 className="mt-1 font-serif text-title font-semibold break-words">
        {message}
        {path && (
          <>
            : <bdi>{path}</bdi>
          </>
        )}
      </h1>
      {facts.description && <p className="mt-2 max-w-measure text-quiet">{facts.description}</p>}
      <div className="mt-5 flex flex-wrap gap-2">
        {facts.status === 401 && (
          <Link
            className="button"
            data-kind="primary"
            to={urls.login({ next: pathname + search })}
            target={facts.submittedFormHtml && "_blank"}
          >
            {t("Sign in")}
          </Link>
        )}
        {facts.status >= 500 && (
          <a className="button" data-kind="primary" href={pathname + search}>
            {t("Retry")}
          </a>
        )}
        <Link className="button" to={urls.home()}>
          {t("Go to the home page")}
        </Link>
      </div>
      {facts.submittedFormHtml && <div dangerouslySetInnerHTML={{ __html: facts.submittedFormHtml }} />}
      {facts.status === 404 && (
        <Form
          action={urls.search()}
          role="search"
          aria-label={t("Search")}
          className="mt-6 flex max-w-md gap-2"
        >
          <input
            type="search"
            name="q"
            aria-label={t("Search")}
            placeholder={t("Search")}
            maxLength={200}
            className="input"
          />
          <button type="submit" className="button">
            {t("Search")}
          </button>
        </Form>
      )}
      {facts.status >= 500 && facts.incident && (
        <p className="mt-6 text-small text-quiet">
          {t("Error number:")} <code>{facts.incident}</code>
        </p>
      )}
    </>
  );
}

/** Error page inside a layout. */
export const ShellErrorPage = ({ error }: { error: unknown }) => (
  <div className="py-6">
    <ErrorMessage error={error} />
  </div>
);

/** Error page when not even the layout could be rendered. */
export const BareErrorPage = ({ error }: { error: unknown }) => (
  <main id="main" className="mx-auto max-w-2xl px-6 py-16">
    <ErrorMessage error={error} />
  </main>
);
