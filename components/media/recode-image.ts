/** Converts an image to another file type; for JPEG, transparent parts become white. */
export async function recodeImage(file: Blob, type: string, quality: number): Promise<Blob> {
  const image = await createImageBitmap(file);
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d')!;
  if (type === 'image/jpeg') {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, image.width, image.height);
  }
  context.drawImage(image, 0, 0);
  image.close();
  return canvas.convertToBlob({ type, quality });
}
