import type { RootData } from "../root.tsx";

declare global {
  interface Window {
    /** Set by the router when it hydrates. */
    __reactRouterDataRouter?: PageRouter;
  }
}

/** The parts of the router that scripts outside React use. */
export type PageRouter = {
  state: {
    matches: { route: { path?: string } }[];
    location: { pathname: string; search: string };
    navigation: { state: string };
    revalidation: string;
    loaderData: { root?: RootData };
    actionData: unknown;
    errors: Record<string, { status?: number }> | null;
  };
  subscribe: (listener: () => void) => void;
  navigate: (
    to: string,
    options: { formMethod: "post"; formData: FormData; preventScrollReset: boolean; replace: boolean },
  ) => Promise<void>;
};

/** The router of the page; undefined before it has hydrated. */
export const currentRouter = (): PageRouter | undefined => window.__reactRouterDataRouter;

/** Calls the listener after each change of the router's state. */
export function onRouterChange(listener: (router: PageRouter) => void): void {
  const router = currentRouter();
  router?.subscribe(() => listener(router));
}
