/** Moves a car by dragging its tile onto another one. */
import type { BoardZone } from '../facility/board.ts';
import { titleOf } from '../facility/car-names.ts';
import { placeOn } from './free-places.ts';
import { done, moveCar } from './work.ts';

const tileOf = ({ target }: DragEvent) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-place]') : null;

/** Where the drag began. */
let from: string | undefined;

/** What the element around the tiles listens to. */
export const dragMoves = (board: readonly BoardZone[]) => ({
  onDragStart(event: DragEvent) {
    const place = placeOn(board, tileOf(event)?.dataset.place);
    from = place?.spot?.car ? place.id : undefined;
    if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
  },
  onDragOver(event: DragEvent) {
    if (from !== undefined && tileOf(event)) event.preventDefault();
  },
  onDrop(event: DragEvent) {
    const [start, to] = [placeOn(board, from), placeOn(board, tileOf(event)?.dataset.place)];
    from = undefined;
    if (!start?.spot?.car || !to || to.id === start.id) return;
    event.preventDefault();
    const refuse = (text: string) => {
      done.value = { text, isFailure: true };
    };
    if (to.spot?.car)
      return refuse(`${to.name} is taken by ${titleOf(to.spot.car)}. Nothing was moved.`);
    if (to.spot?.state !== 'free') return refuse(`${to.name} is not in use. Nothing was moved.`);
    const title = titleOf(start.spot.car);
    void moveCar({ carId: start.spot.car.id, title, from: start, to }).catch((error: Error) =>
      refuse(error.message),
    );
  },
});
