import { useRouteLoaderData } from "react-router";
import type { RootData } from "../../root.tsx";

/**
 * Returns the data of every page: the community, the viewer, language, time zone and the time at which the
 * page was rendered.
 */
export function useRootData(): RootData {
  const root = useRouteLoaderData<RootData>("root");
  if (!root) throw new Error("The root's data is only there inside a page.");
  return root;
}
