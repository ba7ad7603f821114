import { z } from "zod";
import type { Bundle } from "../../archive/bundle-files.ts";
import { readJsonFile } from "../../archive/text-lines.ts";

// Reads the categories of a Discourse forum from `categories.json` and `site.json`; a list may be split into
// several pages.

const text = z.string().catch("");
const Category = z.object({
  id: z.int(),
  name: z.string().min(1),
  slug: text.default(""),
  description_text: text.nullish(),
  // An invalid value counts as restricted, so that no private category becomes public.
  read_restricted: z.boolean().catch(true).default(false),
  get subcategory_list() {
    return z.array(Category).nullish();
  },
});
export type Category = Omit<z.output<typeof Category>, "subcategory_list">;
const Categories = z.union([
  z
    .object({ category_list: z.object({ categories: z.array(Category) }) })
    .transform((it) => it.category_list.categories),
  z.object({ categories: z.array(Category) }).transform((it) => it.categories),
]);

export const CATEGORY_FILES = /(?:^|\/)(?:categories|site)\.json$/;

/** `isListed`: the archive contains at least one readable list of categories. */
type CategoryList = {
  categories: Map<number, Category>;
  isListed: boolean;
  notes: { at: string; note: string }[];
};

/**
 * All categories in the archive's lists. A category that any list calls restricted is restricted, with its
 * subcategories.
 */
export async function readCategories(bundle: Bundle): Promise<CategoryList> {
  const categories = new Map<number, Category>();
  const unreadable: string[] = [];
  const names = bundle.names.filter((it) => CATEGORY_FILES.test(it));
  for (const name of names) {
    const file = await readJsonFile(bundle, name);
    const parsed = Categories.safeParse("json" in file ? file.json : undefined);
    if (!parsed.success) unreadable.push(name);
    for (const one of (parsed.data ?? []).flatMap((it) => flattenCategory(it)))
      categories.set(one.id, mergeCategories(categories.get(one.id), one));
  }
  const isListed = unreadable.length < names.length;
  return { categories, isListed, notes: createCategoryNotes(bundle.name, unreadable, isListed) };
}

function flattenCategory(it: z.output<typeof Category>, isClosed = false): Category[] {
  const own = { ...it, read_restricted: it.read_restricted || isClosed };
  return [own, ...(it.subcategory_list ?? []).flatMap((one) => flattenCategory(one, own.read_restricted))];
}

const mergeCategories = (before: Category | undefined, category: Category): Category => ({
  ...category,
  slug: before?.slug || category.slug,
  description_text: before?.description_text || category.description_text,
  read_restricted: category.read_restricted || (before?.read_restricted ?? false),
});

/**
 * Notes on unreadable category lists. Without any readable list it is unknown which categories were
 * restricted.
 */
function createCategoryNotes(
  archive: string,
  unreadable: string[],
  isListed: boolean,
): CategoryList["notes"] {
  if (isListed) return unreadable.map((at) => ({ at, note: "Skipped: not a readable list of categories." }));
  const note = "Closed categories cannot be determined: all groups are imported as private.";
  return [
    {
      at: unreadable[0] ?? archive,
      note: unreadable[0] ? note : `There is no categories.json and no site.json. ${note}`,
    },
  ];
}
