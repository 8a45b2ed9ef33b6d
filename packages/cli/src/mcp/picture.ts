// A picture that a model can look at: models read PNG, and none reads SVG.

export interface Picture {
  readonly bytes: Buffer;
  readonly mimeType: 'image/png' | 'image/svg+xml';
}

/** Pixels of the picture for one of the drawing: small letters stay legible. */
const scale = 1.5;

/** A drawing as pixels, in the fonts of the system. Where nobody has installed the renderer, it stays the SVG that it is. */
export async function pictureOf(svg: string): Promise<Picture> {
  const resvg = await import('@resvg/resvg-js').catch(() => undefined);
  if (resvg === undefined) return { bytes: Buffer.from(svg), mimeType: 'image/svg+xml' };
  const drawing = new resvg.Resvg(svg, {
    fitTo: { mode: 'zoom', value: scale },
    background: 'white',
    font: { loadSystemFonts: true, defaultFontFamily: 'DejaVu Sans' },
  });
  return { bytes: drawing.render().asPng(), mimeType: 'image/png' };
}
