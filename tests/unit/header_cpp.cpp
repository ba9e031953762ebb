// The public header compiles as C++ and its functions link from it.
#include <tallow/tallow.h>

int main() {
    tl_error error{};
    tl_scene *scene = nullptr;
    const char text[] = "nonsense: 1\n";
    const tl_status status =
        tl_scene_load_memory(text, sizeof text - 1, "memory", nullptr, &scene, &error);
    return status == TL_BAD_INPUT && scene == nullptr && error.what[0] != 0 ? 0 : 1;
}
