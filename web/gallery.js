/* The scenes to start, as a list over the picture. */

import {$} from './panel.js';

export class Gallery {
    /* start: gets the name of a scene. */
    constructor(start) {
        this.start = start;
        this.list = $('scenes');
        $('find').addEventListener('input', () => this.show($('find').value));
        $('find').addEventListener('keydown', (e) => {
            if (e.key === 'Enter')
                this.list.querySelector('li:not([hidden]) button')?.click();
        });
        $('close').addEventListener('click', () => this.close());
        $('gallery').addEventListener('keydown', (e) => {
            e.stopPropagation(); // letters are names here
            if (e.key === 'Escape')
                this.close();
        });
    }

    set(scenes) {
        const text = (tag, words) => Object.assign(document.createElement(tag), {textContent: words});
        this.list.replaceChildren(...scenes.map(({name, title}) => {
            const item = document.createElement('li'), button = document.createElement('button');
            button.append(text('b', name), text('span', title));
            button.addEventListener('click', () => this.choose(name));
            item.dataset.words = `${name} ${title}`.toLowerCase();
            item.append(button);
            return item;
        }));
    }

    choose(name) {
        $('starting').textContent = `Starting ${name} …`;
        this.start(name);
    }

    show(words) {
        const wanted = words.toLowerCase().split(' ');
        for (const item of this.list.children)
            item.hidden = !wanted.every((w) => item.dataset.words.includes(w));
    }

    /* Without a scene there is nothing else to look at. */
    open(hasScene) {
        $('gallery').hidden = false;
        $('close').hidden = !hasScene;
        $('starting').textContent = '';
        if (!matchMedia('(pointer: coarse)').matches) // no keyboard comes up by itself
            $('find').focus();
    }

    close() {
        if ($('close').hidden || $('gallery').hidden)
            return;
        $('gallery').hidden = true;
        document.activeElement.blur();
    }

    /* The scene that was asked for is there; or it could not be started. */
    started() {
        $('close').hidden = false;
        this.close();
    }

    failed() { $('starting').textContent = ''; }
}
