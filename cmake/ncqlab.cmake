# How every target of this project is compiled, and the one way to declare a library.

# Debian's libsystemc 2.3.4 links with C++17 and nothing else.
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2")

find_program(NCQLAB_CCACHE ccache)
if(NCQLAB_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${NCQLAB_CCACHE})
endif()

# Contracting a*b+c into one rounding changes the bits of a seek time: results must be the same everywhere.
add_compile_options(-ffp-contract=off -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wimplicit-fallthrough -Werror)
if(NCQLAB_SANITIZE)
  add_compile_options(-fsanitize=${NCQLAB_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${NCQLAB_SANITIZE})
endif()

# ncqlab_library(NAME [SOURCES ...] [LINKS ...]): a static library ncqlab_NAME, included from the project's root.
function(ncqlab_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(ncqlab_${name} STATIC ${arg_SOURCES})
  target_include_directories(ncqlab_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_link_libraries(ncqlab_${name} PUBLIC ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
endfunction()

if(NCQLAB_SYSTEMC)
  find_package(SystemCLanguage CONFIG QUIET)
  if(SystemCLanguage_FOUND)
    add_library(ncqlab_systemc_kernel INTERFACE)
    target_link_libraries(ncqlab_systemc_kernel INTERFACE SystemC::systemc)
  else()
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
    add_library(ncqlab_systemc_kernel INTERFACE)
    target_link_libraries(ncqlab_systemc_kernel INTERFACE PkgConfig::SYSTEMC)
  endif()
endif()
