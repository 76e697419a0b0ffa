/** A picture as another type of file, on white where it is transparent and the type is not. */
export async function recodePicture(file: Blob, type: string, quality: number): Promise<Blob> {
  const picture = await createImageBitmap(file);
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const context = canvas.getContext('2d')!;
  if (type === 'image/jpeg') {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, picture.width, picture.height);
  }
  context.drawImage(picture, 0, 0);
  picture.close();
  return canvas.convertToBlob({ type, quality });
}
