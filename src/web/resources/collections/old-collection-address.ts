import { redirect } from "react-router";
import { defineLoader } from "../../request-context.ts";
import { urls } from "../../urls.ts";

/** Redirects from the earlier addresses of collections and of the form for a new collection. */
export const loader = defineLoader(async ({ params, url }) =>
  redirect(urls.collection(params["collectionId"]!) + url.search, 301),
);
