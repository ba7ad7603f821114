import { urls } from "../../urls.ts";

/** Eight landscapes drawn for Kith, for profiles and groups without a header picture. */
export const BACKGROUNDS = ["meadow", "dusk", "clay", "river", "plum", "straw", "moss", "slate"];
const backgroundUrl = (style: string) => urls.ground(BACKGROUNDS.includes(style) ? style : "meadow");

type HeaderPictureProps = { headerId: string | null; style: string; alt?: string; className?: string };

/** The header of a profile or group. It is decorative, unless it is a picture with an alternative text. */
export const HeaderPicture = ({ headerId, style, alt = "", className = "h-36" }: HeaderPictureProps) => (
  <img
    src={headerId ? urls.picture(headerId) : backgroundUrl(style)}
    alt={headerId ? alt : ""}
    width={1500}
    height={500}
    decoding="async"
    className={`ground w-full rounded-panel object-cover ${className}`}
  />
);
