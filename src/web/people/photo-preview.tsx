import { useWords } from "../words/index.ts";
import { type Part, PicturePart } from "./picture-part.tsx";

/** In the sizes used on the profile, beside posts and in lists. */
export function PhotoPreview({ part }: { part: Part }) {
  const t = useWords();
  return (
    <div>
      <p className="hint mb-2">{t("As it will look")}</p>
      <div className="flex flex-wrap items-end gap-4">
        {[112, 64, 32].map((size) => (
          <PicturePart key={size} part={part} className="rounded-full" style={{ width: size, height: size }} />
        ))}
      </div>
    </div>
  );
}
