import { useRouteLoaderData } from "react-router";
import type { RootData } from "../root.tsx";

/** What every page knows: the community, the viewer, language, zone and the moment the page was made. */
export function useRoot(): RootData {
  const root = useRouteLoaderData<RootData>("root");
  if (!root) throw new Error("The root's data is only there inside a page.");
  return root;
}
