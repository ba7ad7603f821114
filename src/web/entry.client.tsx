import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { guardChunks, settled } from "./client/chunk-guard.ts";
import { reportErrors } from "./client/error-report.ts";
import { watchBuilds } from "./client/build-watch.ts";
import { loadWords, WordsProvider } from "./words/index.ts";

guardChunks();
const report = reportErrors();
const words = await loadWords(document.documentElement.lang);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <WordsProvider words={words}>
        <HydratedRouter onError={(error) => report(error)} />
      </WordsProvider>
    </StrictMode>,
    { onRecoverableError: (error) => report(error) },
  );
});
settled();
watchBuilds();
