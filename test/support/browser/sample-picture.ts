import sharp from "sharp";

export const createPicture = () =>
  sharp({ create: { width: 640, height: 360, channels: 3, background: "#4f6120" } })
    .jpeg()
    .toBuffer();
