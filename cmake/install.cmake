# What `cmake --install` puts where: components model, driver and lab (headers, static libraries, CMake packages,
# pkg-config files), and the command with its data.
#
#   cmake --install build/release --prefix P [--component model]
#
# Headers are included as in this tree ("model/hba/controller.h"), below P/include/ncqlab. Profiles, schemas and presets
# lie in P/share/ncqlab, where programs of P/bin and programs linked with these libraries look for them; NCQLAB_DATA names
# another place.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(NCQLAB_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/ncqlab)
set(NCQLAB_INCLUDE_DIR ${CMAKE_INSTALL_INCLUDEDIR}/ncqlab)

# ncqlab_component(NAME FOLDERS ... LIBRARIES ... [EXTRA_LIBS "-lx"] [REQUIRES "pc modules"]): LIBRARIES without their
# prefix, each before those that it needs, as a linker wants them.
function(ncqlab_component name)
  cmake_parse_arguments(arg "" "EXTRA_LIBS;REQUIRES" "FOLDERS;LIBRARIES" ${ARGN})
  add_library(ncqlab_component_${name} INTERFACE)
  set_target_properties(ncqlab_component_${name} PROPERTIES EXPORT_NAME ${name})
  set(targets ncqlab_component_${name})
  set(flags "")
  foreach(library IN LISTS arg_LIBRARIES)
    set_target_properties(ncqlab_${library} PROPERTIES EXPORT_NAME ${library}_library)
    target_link_libraries(ncqlab_component_${name} INTERFACE ncqlab_${library})
    list(APPEND targets ncqlab_${library})
    get_target_property(type ncqlab_${library} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      string(APPEND flags " -lncqlab_${library}")
    endif()
  endforeach()
  install(TARGETS ${targets} EXPORT ncqlab-${name} COMPONENT ${name} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${NCQLAB_INCLUDE_DIR})
  install(EXPORT ncqlab-${name} NAMESPACE ncqlab:: FILE ncqlab-${name}.cmake DESTINATION ${NCQLAB_PACKAGE_DIR}
    COMPONENT ${name})
  foreach(folder IN LISTS arg_FOLDERS)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${NCQLAB_INCLUDE_DIR}/${folder}/.. COMPONENT ${name}
      FILES_MATCHING PATTERN "*.h")
  endforeach()

  set(NCQLAB_COMPONENT ${name})
  set(NCQLAB_LIBS "${flags}${arg_EXTRA_LIBS}")
  set(NCQLAB_REQUIRES "${arg_REQUIRES}")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/ncqlab.pc.in ${PROJECT_BINARY_DIR}/generated/ncqlab-${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/generated/ncqlab-${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT ${name})
endfunction()

ncqlab_component(driver FOLDERS driver LIBRARIES driver)
if(NCQLAB_SYSTEMC)
  ncqlab_component(model FOLDERS model REQUIRES systemc
    LIBRARIES config faults drive disk hba_tlm hba host sata sim_systemc sim systemc_kernel)
else()
  ncqlab_component(model FOLDERS model LIBRARIES config faults drive disk hba host sata sim)
endif()
ncqlab_component(lab REQUIRES "ncqlab-model ncqlab-driver spdlog" EXTRA_LIBS " -pthread"
  FOLDERS testbench/lab testbench/oracle testbench/report testbench/workload
  LIBRARIES lab oracle report workload)

foreach(component model lab)  # each alone is of use only with the data
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/disks DESTINATION ${CMAKE_INSTALL_DATADIR}/ncqlab COMPONENT ${component})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/testbench/workload/presets
  DESTINATION ${CMAKE_INSTALL_DATADIR}/ncqlab/testbench/workload COMPONENT lab)
if(NCQLAB_COMMAND)
  install(TARGETS ncqlab ncqlab-system-x86_64 COMPONENT command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ncqlabConfig.cmake.in
  ${PROJECT_BINARY_DIR}/generated/ncqlabConfig.cmake INSTALL_DESTINATION ${NCQLAB_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/ncqlabConfigVersion.cmake COMPATIBILITY SameMinorVersion)
foreach(component model driver lab)
  install(FILES ${PROJECT_BINARY_DIR}/generated/ncqlabConfig.cmake
    ${PROJECT_BINARY_DIR}/generated/ncqlabConfigVersion.cmake DESTINATION ${NCQLAB_PACKAGE_DIR} COMPONENT ${component})
endforeach()
