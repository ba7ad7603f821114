import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { fetchPart, guardChunks, settled } from "./client/chunk-guard.ts";
import { keepEarlyWords } from "./client/early-words.ts";
import { reportErrors } from "./client/error-report.ts";
import { watchBuilds } from "./client/build-watch.ts";
import { isUnreachable } from "./client/network.ts";
import { prepareForBreaks } from "./client/breaks.ts";
import { loadWords, WordsProvider } from "./words/index.ts";

guardChunks();
const report = reportErrors();
keepEarlyWords();
const words = await loadWords(document.documentElement.lang, location.pathname);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <WordsProvider words={words}>
        <HydratedRouter useTransitions={false} onError={(error) => isUnreachable(error) || report(error)} />
      </WordsProvider>
    </StrictMode>,
    { onRecoverableError: (error) => report(error) },
  );
});
settled();
watchBuilds();
// If it cannot be fetched now, a connection loss is handled without it.
void fetchPart(prepareForBreaks).catch(() => {});
