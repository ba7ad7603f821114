import { StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { loadOptionalChunk, guardChunks, markPageLoaded } from "./client/chunk-guard.ts";
import { keepEarlyInput } from "./client/early-input.ts";
import { reportErrors } from "./client/error-reporting.ts";
import { watchBuilds } from "./client/build-watch.ts";
import { isUnreachable } from "./client/network-state.ts";
import { loadOfflineHandling } from "./client/connection-loss.ts";
import { loadTranslations, TranslationProvider } from "./i18n/index.ts";

guardChunks();
const reportError = reportErrors();
keepEarlyInput();
const catalogue = await loadTranslations(document.documentElement.lang, location.pathname);

// Hydrates without a transition: hydration in steps would lose clicks and keys that arrive between them.
hydrateRoot(
  document,
  <StrictMode>
    <TranslationProvider i18n={catalogue}>
      <HydratedRouter
        useTransitions={false}
        onError={(error) => isUnreachable(error) || reportError(error)}
      />
    </TranslationProvider>
  </StrictMode>,
  { onRecoverableError: (error) => reportError(error) },
);
markPageLoaded();
watchBuilds();
// If this code cannot be fetched now, connection losses are not handled.
void loadOptionalChunk(loadOfflineHandling).catch(() => {});
